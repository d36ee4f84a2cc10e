import Foundation
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct DateInferenceTests {
  @Test(arguments: [
    ("2010-01-16", DateForm.isoDate, "2010-01-16"), ("16.01.2010", .dayDot, "2010-01-16"),
    ("6.1.2010", .dayDotUnpadded, "2010-01-06"), ("2010/01/16", .yearSlash, "2010-01-16"),
    ("16/01/2010", .daySlash, "2010-01-16"), ("01/16/2010", .monthSlash, "2010-01-16"),
    ("16/1/2010", .daySlashUnpadded, "2010-01-16"),
    ("1/16/2010", .monthSlashUnpadded, "2010-01-16"),
    ("16-01-2010", .dayDash, "2010-01-16"), ("01-16-2010", .monthDash, "2010-01-16"),
    ("29.02.2012", .dayDot, "2012-02-29"), ("29.02.2000", .dayDot, "2000-02-29"),
    ("0001-01-01", .isoDate, "0001-01-01"), ("9999-12-31", .isoDate, "9999-12-31"),
  ])
  func `a date of a known form becomes ISO 8601`(text: String, form: DateForm, iso: String) {
    #expect(columnType([text]) == .date(form))
    #expect(stored([text, ""]) == [.text(iso), .null])
  }

  @Test(arguments: [
    ("2010-01-16T10:00", DateForm.isoDateTime, "2010-01-16T10:00"),
    ("2010-01-16T10:00:00", .isoDateTime, "2010-01-16T10:00:00"),
    ("2010-01-16T10:00:00.5", .isoDateTime, "2010-01-16T10:00:00.5"),
    ("2010-01-16T10:00:00.123456789Z", .isoDateTime, "2010-01-16T10:00:00.123456789Z"),
    ("2010-01-16T10:00:00Z", .isoDateTime, "2010-01-16T10:00:00Z"),
    ("2010-01-16T10:00+05:30", .isoDateTime, "2010-01-16T10:00+05:30"),
    ("2010-01-16T10:00:00-14:59", .isoDateTime, "2010-01-16T10:00:00-14:59"),
    ("2010-01-16T10:00:00.000+0100", .isoDateTimeBasicZone, "2010-01-16T10:00:00.000+01:00"),
    ("2010-01-16 10:00:00", .spacedDateTime, "2010-01-16 10:00:00"),
    ("2010-01-16 10:00", .spacedDateTime, "2010-01-16 10:00"),
    ("2010-01-16 10:00:00.25", .spacedDateTime, "2010-01-16 10:00:00.25"),
    ("2010-01-16 10:00:00+01:00", .spacedDateTime, "2010-01-16 10:00:00+01:00"),
    ("2010-01-16 10:00:00 +0100", .spacedDateTimeBasicZone, "2010-01-16T10:00:00+01:00"),
    ("2010-01-16 10:00:00 +0000", .spacedDateTimeBasicZone, "2010-01-16T10:00:00+00:00"),
    ("2010-01-16 10:00:00 -0330", .spacedDateTimeBasicZone, "2010-01-16T10:00:00-03:30"),
    ("16.01.2010 10:05", .dayDotTime, "2010-01-16T10:05"),
    ("16.01.2010 10:05:07", .dayDotTime, "2010-01-16T10:05:07"),
    ("6.1.2010 10:05:07", .dayDotUnpaddedTime, "2010-01-06T10:05:07"),
    ("16/01/2010 10:05:07.25", .daySlashTime, "2010-01-16T10:05:07.25"),
    ("16/1/2010 10:05", .daySlashUnpaddedTime, "2010-01-16T10:05"),
    ("01/16/2010 10:05", .monthSlashTime, "2010-01-16T10:05"),
    ("1/16/2010 10:05", .monthSlashUnpaddedTime, "2010-01-16T10:05"),
    ("16-01-2010 23:59:59", .dayDashTime, "2010-01-16T23:59:59"),
    ("01-16-2010 00:00:00", .monthDashTime, "2010-01-16T00:00:00"),
    ("2010/01/16 10:05", .yearSlashTime, "2010-01-16T10:05"),
  ])
  func `a date-time of a known form becomes ISO 8601`(text: String, form: DateForm, iso: String) {
    #expect(columnType([text]) == .dateTime(form))
    #expect(stored(["", text, text]) == [.null, .text(iso), .text(iso)])
  }

  @Test(arguments: [
    "29.02.2011", "29.02.1900", "31.04.2010", "00.01.2010", "01.00.2010", "32.01.2010",
    "01.13.2010", "2010-13-01", "2010-02-30", "0000-01-01", "01.01.0000", "2010-1-6",
    "2010-01-16T", "2010-01-16T10", "2010-01-16T24:00:00", "2010-01-16T10:60", "2010-01-16t10:00",
    "2010-01-16T10:00:60", "2010-01-16T10:00:00.", "2010-01-16T10:00:00.1234567890",
    "2010-01-16T10:00:00z", "2010-01-16T10:00:00+15:00", "2010-01-16T10:00:00+01",
    "2010-01-16T10:00:00+01:60", "2010-01-16T10:00:00 +0100", "2010-01-16 10:00:00+0100",
    "2010-01-16  10:00", "2010-01-16 10:00:00 +01:00", "2010-01-16 10:00:00 Z", " 2010-01-16",
    "2010-01-16 ", "2010-01-16Z", "16.01.10", "16.01.20100", "16.01-2010", "16-1-2010",
    "2010.01.16", "16.01.2010 9:05", "16.01.2010 10:05Z", "16.01.2010T10:05", "013.01.2010",
    "1.01.2010", "01.1.2010", "16,01,2010", "2010/01-16", "16. 1.2010", "10:00:00", "2010-01",
    "2010-01-16T10:00:00.5.5", "+010-01-16", "16.01.+010", "2010-01-16T-1:00",
  ])
  func `what is no date of the calendar in a known form stays TEXT`(text: String) {
    #expect(columnType([text]) == .text)
    #expect(stored([text]) == [.text(text)])
  }

  @Test(arguments: [
    ["2010-01-16", "16.01.2010"], ["2010-01-16", "2010-01-16T10:00"], ["1.2.2010", "16.01.2010"],
    ["2010-01-16T10:00", "2010-01-16 10:00"], ["16/01/2010", "01/16/2010"],
    ["2010-01-16T10:00:00+0100", "2010-01-16T10:00:00+01:00"], ["16.01.2010", "16.01.2010 10:00"],
    ["2010-01-16", "20100116"], ["16.01.2010", "1.5"],
  ])
  func `a column of two forms stays TEXT`(values: [String]) {
    #expect(columnType(values) == .text)
    #expect(stored(values) == values.map { .text($0) })
  }

  @Test func `precisions and zones of ISO 8601 may mix and stay as written`() {
    let values = ["2010-01-16T10:00", "2010-01-16T10:00:00.5Z", "2010-01-16T10:00:00+02:00"]
    #expect(columnType(values) == .dateTime(.isoDateTime))
    #expect(stored(values) == values.map { .text($0) })
  }

  @Test func `padded numbers fit both forms until an unpadded one settles it`() {
    #expect(columnType(["10.10.2010"]) == .date(.dayDot))
    #expect(columnType(["10.10.2010", "1.2.2010"]) == .date(.dayDotUnpadded))
    #expect(columnType(["10.10.2010", "01.02.2010"]) == .date(.dayDot))
    #expect(
      stored(["10.10.2010", "1.2.2010"]) == [.text("2010-10-10"), .text("2010-02-01")])
  }

  @Test(arguments: [
    ("05/03/2010", DateForm.daySlash, DateForm.monthSlash),
    ("5/3/2010", .daySlashUnpadded, .monthSlashUnpadded), ("05-03-2010", .dayDash, .monthDash),
    ("05/03/2010 10:00", .daySlashTime, .monthSlashTime),
    ("05/05/2010", .daySlash, .monthSlash),
  ])
  func `day and month that could be swapped are ambiguous`(
    text: String, dayFirst: DateForm, monthFirst: DateForm
  ) {
    let statistics = ValueStatistics(of: [text])
    #expect(statistics.columnType == .text)
    #expect(statistics.ambiguity == DateAmbiguity(dayFirst: dayFirst, monthFirst: monthFirst))
    #expect(!statistics.isFinal)
    #expect(stored([text]) == [.text(text)])
  }

  @Test func `one value above twelve settles the whole column`() {
    #expect(
      stored(["05/03/2010", "16/03/2010"]) == [.text("2010-03-05"), .text("2010-03-16")])
    #expect(
      stored(["05/03/2010", "03/16/2010"]) == [.text("2010-05-03"), .text("2010-03-16")])
    #expect(ValueStatistics(of: ["05/03/2010", "16/03/2010"]).ambiguity == nil)
  }

  @Test func `digits without separators are an INTEGER`() {
    #expect(columnType(["20100116"]) == .integer)
  }

  @Test(arguments: DateForm.allCases.filter { $0 != .declared })
  func `every day of three years converts to its ISO date`(form: DateForm) {
    let days = (0..<(365 * 3 + 1)).map { CalendarDate.date(days: 10_592 + $0) }
    let values = days.map { text($0, in: form) }
    let time = form.hasTime ? "T07:08:09" : ""
    let expected = days.map { day in
      String(format: "%04d-%02d-%02d", day.year, day.month, day.day) + time
    }
    #expect(columnType(values) == (form.hasTime ? .dateTime(form) : .date(form)))
    let found = stored(values).map { value -> String in
      guard case .text(let text) = value else { return "\(value)" }
      // The zone of the forms that need one, and the space of the form kept as written.
      return text.replacing("+02:00", with: "").replacing(" ", with: "T")
    }
    #expect(found == expected)
    #expect(expected.first?.prefix(10) == "1999-01-01")
    #expect(expected.last?.prefix(10) == "2001-12-31")
  }

  @Test func `a time that comes twice is the first of the two`() throws {
    let built = try BuiltProject(
      [("dst.csv", "id,t\n1,2024-10-27 01:30:00\n2,2024-10-27 02:30:00\n3,2024-10-27 03:30:00\n")]
    ) { $0.timeZone = "Europe/Berlin" }
    #expect(
      try built.rows("SELECT t FROM dst ORDER BY id") == [
        [.text("2024-10-26T23:30:00Z")], [.text("2024-10-27T00:30:00Z")],
        [.text("2024-10-27T02:30:00Z")],
      ])
  }

  @Test func `a time that the zone skipped is told of, wherever it stands`() throws {
    for rows in [
      "1,2024-03-31 02:30:00\n2,2024-04-01 02:30:00",
      "1,2024-04-01 02:30:00\n2,2024-03-31 02:30:00",
    ] {
      for records in [[], [RecordRule("*", table: "dst")]] {
        let built = try BuiltProject(
          [("dst.csv", "id,t\n\(rows)\n")], records: ["dst.csv": records]
        ) { $0.timeZone = "Europe/Berlin" }
        #expect(
          built.remarks.map(\.message) == [
            "column \"t\" of \"dst\" stays text: \"2024-03-31 02:30:00\" is a time that its zone "
              + "skipped"
          ])
        #expect(built.remarks.map(\.hint) == [ZoneGap.hint])
        #expect(
          try built.rows("SELECT t FROM dst ORDER BY t") == [
            [.text("2024-03-31 02:30:00")], [.text("2024-04-01 02:30:00")],
          ])
      }
    }
  }
}

/// A day as one form writes it, with the time 07:08:09 and the zone +0200 where it has them.
private func text(_ date: (year: Int, month: Int, day: Int), in form: DateForm) -> String {
  let pattern = (form.dateOnly ?? form).pattern
  let hasDoubled = pattern.contains("dd")
  var text = pattern.components(separatedBy: "'").first ?? pattern
  text = text.components(separatedBy: " ").first ?? text
  text = text.replacing("yyyy", with: String(format: "%04d", date.year))
  text = text.replacing(
    hasDoubled ? "MM" : "M", with: hasDoubled ? two(date.month) : "\(date.month)")
  text = text.replacing(hasDoubled ? "dd" : "d", with: hasDoubled ? two(date.day) : "\(date.day)")
  switch form {
  case .isoDateTime: return text + "T07:08:09"
  case .isoDateTimeBasicZone: return text + "T07:08:09+0200"
  case .spacedDateTimeBasicZone: return text + " 07:08:09 +0200"
  default: return form.hasTime ? text + " 07:08:09" : text
  }
}

private func two(_ number: Int) -> String {
  String(format: "%02d", number)
}
