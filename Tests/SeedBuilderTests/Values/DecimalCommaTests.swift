import Testing

@testable import SeedBuilder

@Suite struct DecimalCommaTests {
  private func pointed(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalComma.pointed($0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("1,50", "1.50"), ("-0,5", "-0.5"), ("+1,0", "+1.0"), ("12", "12"), ("1.234,5", "1234.5"),
    ("12.345.678", "12345678"), ("-123.456,00", "-123456.00"), ("0", "0"),
    ("1234567,8", "1234567.8"),
  ])
  func `a comma parts the fraction and a point thousands`(text: String, expected: String) {
    #expect(pointed(text) == expected)
  }

  @Test(arguments: [
    "", "-", ",5", "5,", "1,5,0", "1.5", "1.50", "1234.567", "1.23.456", "0.123", ".123", "1.,5",
    "1e3",
    "1 234,5", "a", "1,5e2", "--1",
  ])
  func `what may be another number is none`(text: String) {
    #expect(pointed(text) == nil)
  }
}
