import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct ValueStatisticsTests {
  @Test func `a column of empty values is TEXT for now`() {
    let statistics = ValueStatistics(of: ["", ""])
    #expect(statistics.columnType == .text)
    #expect(!statistics.isFinal)
    #expect(statistics.emptyCount == 2)
    #expect(statistics.valueCount == 0)
    #expect(stored(["", ""]) == [.text(""), .text("")])
  }

  @Test func `an empty value contradicts nothing`() {
    #expect(columnType(["", "5", ""]) == .integer)
    #expect(stored(["", "5"]) == [.null, .integer(5)])
    #expect(stored(["", "x"]) == [.text(""), .text("x")])
  }

  @Test(arguments: samples)
  func `order and repetition of values change no decision`(values: [String]) {
    let type = columnType(values)
    #expect(columnType(values.reversed()) == type)
    #expect(columnType(values + values) == type)
    var again = ValueStatistics(of: values)
    again.restartCounts()
    for value in values { again.observe(value) }
    #expect(again.columnType == type)
    #expect(again.alive == ValueStatistics(of: values).alive)
  }

  @Test(arguments: samples)
  func `merging two halves equals observing the whole`(values: [String]) {
    for cut in 0...values.count {
      var first = ValueStatistics(of: Array(values[..<cut]))
      first.merge(ValueStatistics(of: Array(values[cut...])))
      #expect(first.columnType == columnType(values))
      #expect(first.alive == ValueStatistics(of: values).alive)
    }
  }

  @Test func `a near miss names the first value that does not fit`() {
    let statistics = ValueStatistics(of: ["16.01.2010", "", "17.01.2010", "31.02.2010", "x"])
    #expect(
      statistics.nearMiss
        == ValueNearMiss(type: .date(.dayDot), precedingCount: 2, value: "31.02.2010"))
    #expect(ValueStatistics(of: ["a", "b"]).nearMiss == nil)
    #expect(ValueStatistics(of: ["1", "1.5"]).nearMiss == nil)
    #expect(ValueStatistics(of: ["NO", "DE"]).nearMiss == nil)
    #expect(
      ValueStatistics(of: ["05/03/2010", "?"]).nearMiss
        == ValueNearMiss(type: .text, precedingCount: 1, value: "?"))
  }

  @Test func `a near miss keeps the start of a long value`() {
    let long = String(repeating: "x", count: 1000)
    let value = ValueStatistics(of: ["5", long]).nearMiss?.value
    #expect(value?.utf8.count == ValueNearMiss.maximumByteCount)
  }

  static let samples: [[String]] = [
    [], [""], ["5"], ["5", "", "1.5"], ["1.1", "1.10"], ["1.10", "2.20"], ["NO", "YES", "NO"],
    ["NO", "NO"], ["true", "false"], ["true", "YES"], ["05/03/2010", "16/03/2010"],
    ["05/03/2010", "03/16/2010", "16/03/2010"], ["10.10.2010", "1.2.2010"], ["x", "5"],
    ["2010-01-16T10:00", "2010-01-16T10:00Z"], ["9007199254740993", "1.5"], ["5", "1.0"],
  ]
}
