import SeedModel
import Testing

/// Numbers by what they say.
@Suite struct NumberDigitsTests {
  @Test(arguments: [
    ["100", "1e2", "100.0", "+0100", "0.1E+3", "10000e-2", "100."],
    ["0", "-0", "0.000", "0e7", ".0", "0e-99999999999999999999"],
    ["-12.5", "-1.25e1", "-012.50", "-125e-1", "-.125e2"],
    ["18446744073709551615", "1844674407370955161.5e1", "18446744073709551615.00"],
  ])
  func `all spellings of a number are alike`(spellings: [String]) {
    let all = spellings.map { NumberDigits($0.utf8) }
    #expect(Set(all).count == 1)
    #expect(all.first ?? nil != nil)
  }

  @Test(arguments: ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", "0x10", "nan", "1,5", "--1"])
  func `what is no number has no digits`(text: String) {
    #expect(NumberDigits(text.utf8) == nil)
  }

  @Test(arguments: [
    ("16777217.0", 16_777_217 as Int64?), ("1.6777217e7", 16_777_217), ("-5e0", -5), ("-0.0", 0),
    ("-9223372036854775808.0", .min), ("9223372036854775808", nil), ("1e19", nil), ("0.5", nil),
    ("1e99999999999999999999", nil),
  ])
  func `a whole number is an integer in any spelling`(text: String, integer: Int64?) {
    #expect(NumberDigits(text.utf8)?.integer == integer)
  }
}
