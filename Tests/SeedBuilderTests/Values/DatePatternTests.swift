import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct DatePatternTests {
  @Test(arguments: [
    ("dd.MM.yyyy", "16.01.2010", "2010-01-16"), ("yyyyMMdd", "20100116", "2010-01-16"),
    ("d.M.yyyy", "06.1.2010", "2010-01-06"), ("d.M.yyyy", "6.01.2010", "2010-01-06"),
    ("dd/MM/yyyy", "05/03/2010", "2010-03-05"), ("MM/dd/yyyy", "05/03/2010", "2010-05-03"),
    ("d/M/yyyy H:mm", "5/3/2010 9:05", "2010-03-05T09:05"),
    ("yyyyMMdd'T'HHmmss", "20100116T100509", "2010-01-16T10:05:09"),
    ("yyyyMMdd'T'HHmmss'Z'", "20100116T100509Z", "2010-01-16T10:05:09Z"),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2010-01-16T10:05:09.250-0130", "2010-01-16T10:05:09.250-01:30"),
    ("dd.MM.yyyy HH:mm XXX", "16.01.2010 10:05 +01:00", "2010-01-16T10:05+01:00"),
    ("dd.MM.yyyy HH:mmXXX", "16.01.2010 10:05Z", "2010-01-16T10:05Z"),
    ("dd.MM.yyyy, HH:mm 'Uhr'", "16.01.2010, 10:05 Uhr", "2010-01-16T10:05"),
    ("dd 'o''clock' MM yyyy", "16 o'clock 01 2010", "2010-01-16"),
    ("yyyy年MM月dd日", "2010年01月16日", "2010-01-16"), ("yyyy''MM''dd", "2010'01'16", "2010-01-16"),
    ("ddMMyyyyHHmmssS", "160120101005091", "2010-01-16T10:05:09.1"),
  ])
  func `a declared pattern converts its values`(pattern: String, text: String, iso: String) throws {
    let rules = ValueRules(datePattern: try DatePattern(pattern))
    #expect(columnType([text], rules: rules).declaredType == (iso.count > 10 ? "DATETIME" : "DATE"))
    #expect(stored([text, ""], rules: rules) == [.text(iso), .null])
  }

  @Test(arguments: [
    ("yyyyMMdd", "20101301"), ("yyyyMMdd", "2010011"), ("yyyyMMdd", "201001160"),
    ("d.M.yyyy", "006.1.2010"), ("d.M.yyyy", "29.2.2011"), ("yyyyMMdd HHmm", "20100116 2400"),
    ("yyyyMMdd HHmmss", "20100116 100060"), ("d.M.yyyy HH:mmXXX", "6.1.2010 10:00+0100"),
    ("d.M.yyyy HH:mmZ", "6.1.2010 10:00+01:00"), ("d.M.yyyy HH:mmZ", "6.1.2010 10:00Z"),
    ("d.M.yyyy HH:mm Z", "6.1.2010 10:00  +0100"), ("d.M.yyyy HH:mmZ", "6.1.2010 10:00 +0100"),
  ])
  func `a value that does not match is no date`(pattern: String, text: String) throws {
    let datePattern = try DatePattern(pattern)
    #expect(withBytes(of: text) { datePattern.fields($0, $1) == nil })
  }

  @Test(arguments: [
    ("dd.MMM.yyyy", ValueRulesError.Reason.unknownPatternField("MMM")),
    ("dd.MM.yy", .unknownPatternField("yy")), ("dd.MM.YYYY", .unknownPatternField("YYYY")),
    ("dd.MM.yyyy hh:mm", .unknownPatternField("hh")),
    ("dd.MM.yyyyTHH:mm", .unknownPatternField("T")),
    ("yyyy-MM-dd HH:mm:ss.SSSSSSSSSS", .unknownPatternField("SSSSSSSSSS")),
    ("dd.MM.yyyy d", .repeatedPatternField("d")), ("dd.MM", .missingPatternField("yyyy")),
    ("MM.yyyy", .missingPatternField("dd")), ("dd.yyyy", .missingPatternField("MM")),
    ("", .missingPatternField("yyyy")), ("dd.MM.yyyy HH", .missingPatternField("mm")),
    ("dd.MM.yyyy mm", .missingPatternField("HH")), ("dd.MM.yyyy Z", .missingPatternField("HH")),
    ("dd.MM.yyyy HH:mm.SSS", .missingPatternField("ss")),
    ("dd.MM.yyyy HH:mmZXXX", .repeatedPatternField("XXX")),
    ("dMMyyyy", .unboundedPatternField("d")), ("M'1'dd.yyyy", .unboundedPatternField("M")),
    ("dd.MM.yyyy 'Uhr", .unclosedPatternQuote),
  ])
  func `a pattern that names no date is refused`(
    pattern: String, reason: ValueRulesError.Reason
  ) {
    #expect(throws: ValueRulesError(reason, in: pattern)) { try DatePattern(pattern) }
  }

  @Test func `a refused pattern says what is wrong and what to do`() {
    let error = ValueRulesError(.unknownPatternField("MMM"), in: "dd.MMM.yyyy")
    #expect(error.description == "unknown field \"MMM\" in date format \"dd.MMM.yyyy\"")
    #expect(error.hint.contains("yyyy, MM or M"))
  }

  @Test(arguments: ["dd/MM/yyyy", "d/M/yyyy"])
  func `a declared pattern settles an ambiguous column`(pattern: String) throws {
    let rules = ValueRules(datePattern: try DatePattern(pattern))
    let statistics = ValueStatistics(of: ["05/03/2010", "04/03/2010"], rules: rules)
    #expect(statistics.ambiguity == nil)
    #expect(stored(["05/03/2010"], rules: rules) == [.text("2010-03-05")])
  }

  @Test func `dates that defy the declared pattern are not read in another way`() throws {
    let rules = ValueRules(datePattern: try DatePattern("d/M/yyyy"))
    #expect(columnType(["5"], rules: rules) == .integer)
    #expect(columnType([""], rules: rules) == .text)
    #expect(columnType(["05/03/2010", "03/16/2010"], rules: rules) == .text)
    #expect(columnType(["16.01.2010"], rules: rules) == .text)
    #expect(columnType(["2010-01-16"], rules: rules) == .date(.isoDate))
    #expect(columnType(["5/3/2010", "x"], rules: rules) == .text)
  }

  @Test(arguments: ["dd/MM/yyyy", "d/M/yyyy"])
  func `a declared date settles date-times of the same form`(pattern: String) throws {
    let rules = ValueRules(datePattern: try DatePattern(pattern))
    let value = pattern == "d/M/yyyy" ? "5/3/2010 10:00" : "05/03/2010 10:00"
    #expect(stored([value], rules: rules) == [.text("2010-03-05T10:00")])
  }

  @Test func `a declared pattern takes precedence over INTEGER`() throws {
    let rules = ValueRules(datePattern: try DatePattern("yyyyMMdd"))
    #expect(columnType(["20100116"], rules: rules) == .date(.declared))
    #expect(columnType(["20100116", "5"], rules: rules) == .integer)
  }
}
