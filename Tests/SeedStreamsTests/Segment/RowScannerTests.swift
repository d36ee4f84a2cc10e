import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@Suite struct RowScannerTests {
  /// Scans a line; the values are copied before it is let go of.
  private func scan(_ line: String, columns: Int = 1) throws -> [SQLiteValue] {
    var bytes = Array(line.utf8) + [0x0A]
    return try bytes.withUnsafeMutableBufferPointer { buffer in
      let scanner = RowScanner(columnCount: columns)
      try scanner.scan(UnsafeMutableBufferPointer(rebasing: buffer.dropLast()))
      return (0..<columns).map { index in
        let value = scanner.values[index]
        let content = UnsafeBufferPointer(start: value.bytes, count: Int(value.count))
        switch value.kind {
        case .null: return .null
        case .integer: return .integer(Int64(bitPattern: value.bits))
        case .real: return .real(Double(bitPattern: value.bits))
        case .text: return .text(String(decoding: content, as: UTF8.self))
        case .blob: return .blob(Array(content))
        }
      }
    }
  }

  private func fault(_ line: String, columns: Int = 1) -> RowScanner.Fault? {
    do {
      _ = try scan(line, columns: columns)
      return nil
    } catch {
      return error as? RowScanner.Fault
    }
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", Int64.max),
    ("-9223372036854775808", Int64.min), ("1000000000000000000", 1_000_000_000_000_000_000),
  ])
  func `integers have all of their 64 bits`(text: String, value: Int64) throws {
    #expect(try scan("[\(text)]") == [.integer(value)])
    if text != "-0" { #expect(try scan("[{\"i\":\"\(text)\"}]") == [.integer(value)]) }
  }

  @Test func `numbers with a point or an exponent are floating-point numbers`() throws {
    let texts = [
      "0.0", "-0.0", "1.0", "19.5", "0.1", "1e0", "1E5", "1e+5", "1e-5", "123456789.123456789",
      "1.7976931348623157e308", "5e-324", "2.2250738585072011e-308", "9007199254740993.0",
      "0.000000000000000000000000000001", "123456789012345678901234567890.0", "1e22", "1e23",
      "3.141592653589793238462643383279", "1e-400",
    ]
    for text in texts {
      guard case .real(let value) = try scan("[\(text)]")[0] else {
        Issue.record("\(text) is no floating-point number")
        continue
      }
      #expect(value.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func `random doubles come back bit by bit`() throws {
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: numbers.next())
      guard value.isFinite, value.description.contains(where: { $0 == "." || $0 == "e" }) else {
        continue
      }
      guard case .real(let found) = try scan("[\(value)]")[0] else { continue }
      #expect(found.bitPattern == value.bitPattern, "\(value)")
    }
  }

  @Test func `values of every class stand side by side`() throws {
    let line = #"[1,"Anvil",19.5,null,{"b":"AAECAw=="},{"r":"inf"},{"r":"-inf"},{"b":""},""]"#
    #expect(
      try scan(line, columns: 9) == [
        .integer(1), .text("Anvil"), .real(19.5), .null, .blob([0, 1, 2, 3]), .real(.infinity),
        .real(-.infinity), .blob([]), .text(""),
      ])
    #expect(try scan("[ 1 ,\t2 ]", columns: 2) == [.integer(1), .integer(2)])
  }

  @Test func `escapes stand for what JSON says`() throws {
    let line = #"["\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00\u0000é😀"]"#
    #expect(
      try scan(line) == [
        .text("\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{20AC}\u{1F600}\u{0}\u{E9}\u{1F600}")
      ])
    #expect(try scan(#"[{"b":"AAEC\/w=="}]"#) == [.blob([0, 1, 2, 255])])
  }

  @Test(arguments: [
    ("[9223372036854775808]", RowScanner.Fault.hugeNumber),
    ("[-9223372036854775809]", .hugeNumber), ("[99999999999999999999]", .hugeNumber),
    ("[1e309]", .hugeNumber), ("[{\"i\":\"9223372036854775808\"}]", .hugeNumber),
    ("[01]", .badNumber), ("[1.]", .badNumber), ("[1e]", .badNumber), ("[-]", .badNumber),
    ("[-a]", .badNumber), ("[{\"i\":\"1.5\"}]", .badNumber), ("[{\"i\":\"\"}]", .badNumber),
    ("[+1]", .unknownValue), ("[.5]", .unknownValue), ("[NaN]", .unknownValue),
    ("[true]", .unknownValue), ("[false]", .unknownValue), ("[nul]", .unknownValue),
    ("[[1]]", .unknownValue), ("[Infinity]", .unknownValue), ("[]", .unknownValue),
    ("[{}]", .badObject), ("[{\"x\":\"1\"}]", .badObject), ("[{\"b\":1}]", .badObject),
    ("[{\"b\":\"\",\"i\":\"1\"}]", .badObject), ("[{\"r\":\"1.5\"}]", .badObject),
    ("[{\"r\":\"nan\"}]", .badObject), ("[{\"b\":\"A\"}]", .badBase64),
    ("[{\"b\":\"AAE\"}]", .badBase64), ("[{\"b\":\"AB==\"}]", .badBase64),
    ("[{\"b\":\"AA E=\"}]", .badBase64), ("[{\"b\":\"AA_-\"}]", .badBase64),
    ("[\"a]", .badString), ("[\"a\u{1}\"]", .badString), ("[\"\\x\"]", .badEscape),
    ("[\"\\u12\"]", .badEscape), ("[\"\\ud800\"]", .badEscape),
    ("[\"\\ud800\\u0041\"]", .badEscape),
    ("[\"\\udc00\"]", .badEscape), ("[1,2]", .wrongValueCount), ("[1", .notARow),
    ("[1]x", .notARow), ("[1] ", .notARow), ("1", .notARow), ("[1 2]", .notARow),
  ])
  func `what is no value of a row is refused`(line: String, expected: RowScanner.Fault) {
    #expect(fault(line) == expected, "\(line)")
  }

  @Test func `a row with too few values is refused`() {
    #expect(fault("[1]", columns: 2) == .wrongValueCount)
    #expect(fault("[1,]", columns: 2) == .unknownValue)
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xFF],
      [0xF0, 0x9F, 0x98], [0x80],
    ] as [[UInt8]])
  func `bytes that are no UTF-8 are refused`(bytes: [UInt8]) throws {
    var line = Array("[\"a".utf8) + bytes + Array("\"]\n".utf8)
    line.withUnsafeMutableBufferPointer { buffer in
      let scanner = RowScanner(columnCount: 1)
      #expect(throws: RowScanner.Fault.badUTF8) {
        try scanner.scan(UnsafeMutableBufferPointer(rebasing: buffer.dropLast()))
      }
    }
  }

  @Test func `any bytes end in a row or a fault`() {
    var numbers = SeededNumbers(seed: 11)
    let pieces = [
      "[", "]", ",", "\"", "\\u00", "{\"b\":\"", "}", "-", "1", "e", ".", "null", "é", " ",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...12, using: &numbers)
      let line = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
      _ = fault("[" + line, columns: Int.random(in: 1...3, using: &numbers))
    }
  }
}
