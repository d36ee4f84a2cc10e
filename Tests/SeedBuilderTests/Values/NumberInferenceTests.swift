import Foundation
import SeedModel
import Testing

@testable import SeedBuilder

@Suite struct IntegerInferenceTests {
  @Test(arguments: [
    ("0", 0), ("5", 5), ("-5", -5), ("10", 10), ("20100116", 20_100_116),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("1000000000000000000", 1_000_000_000_000_000_000),
  ])
  func `a canonical integer of 64 bits is an INTEGER`(text: String, value: Int64) {
    #expect(columnType([text]) == .integer)
    #expect(stored([text]) == [.integer(value)])
  }

  @Test(arguments: [
    "007", "00601", "00", "-0", "-05", "+5", " 5", "5 ", "5\n", "-", "--5", "5-", "1,000", "1_000",
    "0x10", "٣", "9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "100000000000000000000",
  ])
  func `what would change as an integer stays TEXT`(text: String) {
    #expect(columnType([text]) == .text)
    #expect(stored([text]) == [.text(text)])
  }

  @Test func `every random integer converts to itself`() {
    var generator = SeededGenerator(state: 1)
    var failures: [Int64] = []
    for _ in 0..<5000 {
      let shift = Int64.random(in: 0..<63, using: &generator)
      let value = Int64.random(in: .min ... .max, using: &generator) >> shift
      if stored([String(value)]) != [.integer(value)] { failures.append(value) }
    }
    #expect(failures == [])
  }
}

@Suite struct RealInferenceTests {
  @Test(arguments: [
    (".5", 0.5), ("-.5", -0.5), ("0.5", 0.5), ("5E0", 5), ("12.50", 12.5), ("1e-3", 0.001),
    ("1e+3", 1000), ("1e22", 1e22), ("1e23", 1e23), ("5e-324", .leastNonzeroMagnitude), ("0.0", 0),
    ("0e5", 0),
    ("1.7976931348623157e308", .greatestFiniteMagnitude), ("0.30000000000000004", 0.1 + 0.2),
    ("2.2250738585072014e-308", .leastNormalMagnitude), ("0.3333333333333333", 1.0 / 3),
    ("1.0000000000000000000000", 1), ("0.00000000000000000000000000012", 1.2e-28),
    ("123456789012345680000.0", 1.2345678901234568e20), ("1e05", 100_000),
  ])
  func `a decimal that a double keeps is a REAL`(text: String, value: Double) {
    #expect(columnType([text]) == .real)
    #expect(stored([text]) == [.real(value)])
  }

  @Test(arguments: [
    "5.", ".", "-", "-.", "1.e5", "1e", "1e+", "e5", "+5.0", "007.5", "00.5", "-0", "-0.0", "-0e3",
    "inf", "-inf", "nan", "NaN", "Infinity", "0x1p3", "1.5f", "1,5", " 1.5", "1.5 ", "1.5.1",
    "1e400", "-1e400", "1e-400", "1e99999999999999999999", "4e-324", "3e-324", "1.2.3",
    "0.1000000000000000055511151231257827", "1.23456789012345678", "0.10000000000000001",
    "52.520006599999997",
    "9007199254740993.0", "123456789012345678000.0", "123456789012345678.5",
  ])
  func `a decimal that would change stays TEXT`(text: String) {
    #expect(columnType([text]) == .text)
    #expect(stored([text]) == [.text(text)])
  }

  @Test func `the shortest text of every double comes back with the same bits`() {
    var generator = SeededGenerator(state: 2)
    var failures: [String] = []
    for index in 0..<20_000 {
      let wide = Double(bitPattern: generator.next())
      let near = Double.random(in: -180...180, using: &generator)
      let value = index % 2 == 0 ? wide : near
      guard value.isFinite else { continue }
      let text = value.description
      guard case .real(let converted)? = stored([text]).first,
        converted.bitPattern == value.bitPattern
      else {
        failures.append(text)
        continue
      }
    }
    #expect(failures == [])
  }

  @Test func `a decimal is a REAL exactly when its double is written the same`() {
    var generator = SeededGenerator(state: 3)
    var failures: [String] = []
    var realCount = 0
    for _ in 0..<20_000 {
      let digitCount = Int.random(in: 14...18, using: &generator)
      var digits = (0..<digitCount).map { _ in Int.random(in: 0...9, using: &generator) }
      digits[0] = Int.random(in: 1...9, using: &generator)
      digits[digitCount - 1] = Int.random(in: 1...9, using: &generator)
      let exponent = Int.random(in: -40...40, using: &generator)
      let written = digits.map(String.init).joined()
      let text = "\(written)e\(exponent)"
      let isKept = Decimal(string: text) == Decimal(string: "\(Double(text) ?? .nan)")
      if isKept { realCount += 1 }
      let expected: [Stored] = [isKept ? .real(Double(text) ?? .nan) : .text(text)]
      if stored([text]) != expected { failures.append(text) }
    }
    #expect(failures == [])
    #expect(realCount > 5000 && realCount < 19_000, "both outcomes must occur often")
  }

  @Test(arguments: [
    (["1.1", "1.10"], ColumnType.text), (["1.10", "1.1"], .text), (["1.10", "2.50"], .real),
    (["1.0", "2.5"], .real), (["5", "1.5"], .real), (["5", "1.0"], .text), (["1.0", "5"], .text),
    (["1", "2", "1.0"], .text), (["1.5", "1.25"], .real), (["1.5", "1.25", "1.250"], .text),
    (["12.0", "1.25"], .real), (["12.0", "1.25", "3"], .text), (["12.0", "1.50", "2.125"], .text),
    (["0", "0.0"], .text), (["1e3", "5"], .real), (["5E0"], .real), (["1.50", "n/a"], .text),
  ])
  func `decimals agree in number or end in no zero`(values: [String], type: ColumnType) {
    #expect(columnType(values) == type)
    #expect(columnType(values.reversed()) == type)
  }

  @Test(arguments: [
    ("9007199254740992", ColumnType.real), ("9007199254740993", .text),
    ("123456789012345678", .text), ("1000000000000000000", .real),
    ("9223372036854775807", .text), ("10000000000000000000", .text),
    ("18446744073709551615", .text), ("007", .text), ("-0", .text),
  ])
  func `an integer beside decimals must be exact in a double`(text: String, type: ColumnType) {
    #expect(columnType([text, "1.5"]) == type)
    #expect(columnType(["1.5", text]) == type)
  }
}
