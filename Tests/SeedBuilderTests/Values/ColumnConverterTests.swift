import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct ColumnConverterTests {
  @Test(arguments: [
    (["5"], "1.5", ColumnType.real), (["5"], "x", .text), (["5"], "007", .text),
    (["1.5"], "1.50", .text), (["1.10"], "5", .text), (["1.5"], "9007199254740993", .text),
    (["true"], "TRUE", .text), (["YES"], "true", .text), (["16.01.2010"], "29.02.2011", .text),
    (["10.10.2010"], "1.2.2010", .date(.dayDotUnpadded)), ([""], "5", .integer),
    (["NO"], "YES", .boolean(.yesNo)), (["05/03/2010"], "16/03/2010", .date(.daySlash)),
    (["2010-01-16"], "2010-01-16T10:00", .text), (["5", "9007199254740993"], "1.5", .text),
  ])
  func `a value that changes the type is a contradiction`(
    values: [String], late: String, type: ColumnType
  ) {
    var converter = ColumnConverter(ValueStatistics(of: values))
    for value in values { #expect(converter.convert(value) != .contradiction) }
    #expect(converter.convert(late) == .contradiction)
    #expect(converter.statistics.columnType == type)
  }

  @Test func `contradictions are exactly those of the statistics`() {
    var generator = SeededGenerator(state: 4)
    let pools = [
      [
        "", "5", "-7", "9007199254740993", "1.5", "2.25", "1.50", "1e3", "12",
        "9223372036854775807",
      ],
      ["1.10", "2.25", "3.50", "0.00", "12.34", "0.30000000000000004", "5", ""],
      ["true", "false", "", "true", "YES"], ["NO", "YES", "", "NO", "NO", "DE"],
      ["05/03/2010", "10/10/2010", "16/03/2010", "5/3/2010", "", "03/16/2010"],
      ["10.10.2010", "16.12.2010", "01.02.2010", "1.2.2010", "", "29.02.2011"],
      ["2010-01-16", "2010-01-17", "", "2010-02-30"],
      ["2010-01-16T10:00", "2010-01-16T10:00:00Z", "", "2010-01-16T10:00:00+01:00"],
    ]
    for round in 0..<4000 {
      let pool = pools[round % pools.count]
      let values = (0..<8).compactMap { _ in pool.randomElement(using: &generator) }
      let cut = Int.random(in: 0...4, using: &generator)
      var whole = ValueStatistics(of: Array(values[..<cut]))
      var converter = ColumnConverter(whole)
      let type = converter.type
      for value in values[cut...] {
        whole.observe(value)
        let result = converter.convert(value)
        #expect(
          (result == .contradiction) == (whole.columnType != type),
          "\(value) in \(values) from \(cut)")
        #expect(converter.statistics.columnType == whole.columnType, "\(values) from \(cut)")
        if whole.columnType != type { break }
      }
    }
  }

  @Test func `after a contradiction the statistics go on learning`() {
    var converter = ColumnConverter(ValueStatistics(of: ["5"]))
    #expect(converter.convert("1.5") == .contradiction)
    #expect(converter.convert("6") == .contradiction)
    #expect(converter.convert("2.50") == .contradiction)
    #expect(converter.statistics.columnType == .text)
    #expect(converter.statistics.isFinal)
  }

  @Test func `a column that is TEXT for good keeps every byte`() {
    var converter = ColumnConverter(ValueStatistics(of: ["x"]))
    for value in ["", "5", "true", "2010-01-16", " \n", "\u{0}"] {
      #expect(converter.convert(value) == .text(value))
    }
  }

  @Test func `values and empty values are counted on every way`() {
    let values = ["5", "", "6"]
    var converter = ColumnConverter(type: .integer, statistics: ValueStatistics())
    for value in values { _ = converter.convert(value) }
    #expect(converter.statistics.valueCount == 2)
    #expect(converter.statistics.emptyCount == 1)
  }

  @Test func `an assumed type holds from the first value`() {
    var converter = ColumnConverter(type: .integer, statistics: ValueStatistics())
    #expect(converter.convert("5") == .integer(5))
    #expect(converter.convert("x") == .contradiction)
  }
}
