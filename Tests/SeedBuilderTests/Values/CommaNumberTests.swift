import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct CommaNumberTests {
  private func remarks(_ values: [String]) throws -> [Diagnostic] {
    let rows = values.map { "a;\($0)\n" }.joined()
    return try BuiltProject([("prices.csv", "name;price\n" + rows)]).remarks
  }

  @Test(arguments: [
    (["12,50", "3,99"], true), (["7", "12,50"], true), (["12,50", "7", ""], true),
    (["1.234,50", "0,5"], true), (["12,50", "1.5"], false), (["1.5", "12,50"], false),
    (["12,50", "none"], false), (["none", "12,50"], false), (["1,2,3"], false), (["7"], false),
    (["12,50", "1.234"], false), (["1.234", "12,50"], false), (["12,50", "007"], false),
    (["007", "12,50"], false), (["12,50", " "], false),
  ])
  func `a column of numbers with commas is said to stay text, whatever their order`(
    values: [String], isSaid: Bool
  ) throws {
    let found = try remarks(values)
    #expect(
      found.map(\.message)
        == (isSaid
          ? [
            "the numbers in column \"price\" of \"prices\" have commas, which may be decimal or part "
              + "thousands, and stay text"
          ] : []))
    #expect(found.allSatisfy { $0.severity == .warning })
    #expect(found.allSatisfy { $0.hint?.contains("\"format\": \"decimal-comma\"") == true })
  }

  @Test func `what is ruled is not said again`() throws {
    func remarks(_ rule: ColumnRule) throws -> [Diagnostic] {
      try BuiltProject(
        [("prices.csv", "name;price\na;12,50\nb;3,99\n")],
        records: ["prices.csv": [RecordRule("*", columns: [rule])]]
      ).remarks
    }
    #expect(try remarks(ColumnRule("price", format: DecimalComma.name)).isEmpty)
    #expect(try remarks(ColumnRule("price", type: .text)).isEmpty)
    #expect(try remarks(ColumnRule("name", type: .text)).count == 1)
  }

  @Test func `statistics of two places agree with those of one`() {
    func statistics(_ values: [String]) -> ValueStatistics {
      var result = ValueStatistics()
      for value in values {
        var value = value
        value.withUTF8 { bytes in
          if let base = bytes.baseAddress { result.observe(base, bytes.count) }
        }
      }
      return result
    }
    let parts = [["12,50"], ["7"], ["x"], ["1.5"], []]
    for first in parts {
      for second in parts {
        var merged = statistics(first)
        merged.merge(statistics(second))
        #expect(
          merged.hasCommaNumbers == statistics(first + second).hasCommaNumbers,
          "\(first) and \(second)")
      }
    }
  }
}
