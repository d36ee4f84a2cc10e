import Foundation
import SeedTransport
import Testing

/// The decoder, beside Foundation's on the same texts.
@Suite struct JSONDecodingTests {
  /// What a decoder makes of a text: the value as Foundation's encoder would write it, or nothing.
  private func outcomes<Value: Codable & Sendable & Equatable>(
    _ type: Value.Type, _ text: String
  ) -> (own: Value?, foundation: Value?) {
    (
      try? JSONDecoding().decode(type, from: Array(text.utf8)),
      try? JSONDecoder().decode(type, from: Data(text.utf8))
    )
  }

  private func expectSame<Value: Codable & Sendable & Equatable>(_ type: Value.Type, _ text: String)
  {
    let (own, foundation) = outcomes(type, text)
    #expect(own == foundation, "\(type) from \(text)")
  }

  private static let numbers =
    [
      "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535",
      "65536", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
      "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1.0", "1.5", "-2.0",
      "1e2", "1E+2", "1e-2", "100e-2", "0.1", "3.141592653589793", "1.7976931348623157e308",
      "5e-324", "2.2250738585072011e-308", "123456789012345678", "0.30000000000000004", "1e22",
      "1e23", "3.4028234663852886e38", "1.17549435e-38", "16777217", "0.1e1", "8.5e0", "1e400",
      "1e-400", "0e-400",
    ]
    + (0..<200).map { seed in
      var numbers = SeededNumbers(seed: UInt64(seed))
      return "\(Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &numbers)))"
    }

  @Test(arguments: JSONDecodingTests.numbers)
  func `numbers are those of Foundation`(text: String) {
    expectSame(Double.self, text)
    // Foundation takes an integer that a double holds by accident; ours must be exact.
    let digits = text.filter(\.isNumber)
    guard digits.count < 16 || !text.contains(where: { ".eE".contains($0) }) else { return }
    expectSame(Int.self, text)
    expectSame(Int8.self, text)
    expectSame(Int16.self, text)
    expectSame(Int32.self, text)
    expectSame(Int64.self, text)
    expectSame(UInt.self, text)
    expectSame(UInt8.self, text)
    expectSame(UInt16.self, text)
    expectSame(UInt32.self, text)
    expectSame(UInt64.self, text)
    expectSame(Float.self, text)
  }

  @Test(arguments: [
    "null", "true", "false", "0", "1", "\"\"", "\"a\"", "\"\\u00e9\\ud83d\\ude00\\n\\/\"", "[]",
    "{}",
    "[1]", "[null]", "[[1,2],[]]", "{\"a\":1}", "{\"a\":null}", "[true,false]", "\"1\"", " 7 ",
    "[\"a\",\"b\"]", "{\"a\":\"b\",\"c\":\"d\"}", "[1,2,3,4,5]", "{\"1\":2}", "[1.5]", "tru",
    "",
    "{\"a\" 1}", "'a'", "[1 2]", "01", "1.", ".5", "\"\\x\"", "\"a", "{\"a\":1", "nul",
  ])
  func `every type takes and refuses the texts that Foundation does`(text: String) {
    expectSame(Bool.self, text)
    expectSame(String.self, text)
    expectSame(Int.self, text)
    expectSame(Double.self, text)
    expectSame(Int?.self, text)
    expectSame(Bool?.self, text)
    expectSame(String?.self, text)
    expectSame([Int].self, text)
    expectSame([Int?].self, text)
    expectSame([Bool].self, text)
    expectSame([[Int]].self, text)
    expectSame([String].self, text)
    expectSame([String: Int].self, text)
    expectSame([String: Int?].self, text)
    expectSame([String: String].self, text)
    expectSame([Int: Int].self, text)
    expectSame(Set<Int>.self, text)
    expectSame(Sample.self, text)
    expectSame([Sample?].self, text)
  }

  /// A type with everything in it that synthesized conformances use.
  private struct Sample: Codable, Equatable, Sendable {
    enum Kind: String, Codable { case first, second }
    enum Choice: Codable, Equatable {
      case none
      case some(value: Int, name: String?)
    }
    struct Inner: Codable, Equatable {
      var list: [Double?]
      var map: [String: [Int]]
    }
    var a: Int?
    var b: String?
    var kind: Kind?
    var choice: Choice?
    var inner: Inner?
    var inners: [Inner]?
  }

  @Test(arguments: [
    #"{}"#, #"{"a":1,"b":"x","unknown":[{}]}"#, #"{"kind":"first"}"#, #"{"kind":"third"}"#,
    #"{"kind":null}"#, #"{"choice":{"none":{}}}"#, #"{"choice":{"some":{"value":3,"name":null}}}"#,
    #"{"choice":{"some":{"value":3}}}"#, #"{"choice":{"some":{}}}"#, #"{"choice":{}}"#,
    #"{"choice":{"none":{},"some":{"value":1}}}"#,
    #"{"inner":{"list":[1,null,2.5],"map":{"k":[1]}}}"#,
    #"{"inner":{"list":[],"map":{}}}"#, #"{"inner":{"list":[]}}"#, #"{"inner":[]}"#,
    #"{"inners":[{"list":[1],"map":{"":[]}},{"list":["x"],"map":{}}]}"#, #"{"a":"1"}"#,
    #"{"a":1.0}"#,
    #"{"a":1.5}"#, #"{"b":1}"#,
  ])
  func `synthesized conformances decode as with Foundation`(text: String) {
    expectSame(Sample.self, text)
  }

  /// Coding by hand: nested containers, a superclass, an array read until its end.
  private final class Derived: Base, @unchecked Sendable {
    let name: String
    let pair: [Int]
    private enum Keys: String, CodingKey { case name, nested, list }
    private enum NestedKeys: String, CodingKey { case pair }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decode(String.self, forKey: .name)
      let nested = try container.nestedContainer(keyedBy: NestedKeys.self, forKey: .nested)
      var items = try nested.nestedUnkeyedContainer(forKey: .pair)
      var values: [Int] = []
      while !items.isAtEnd {
        if try items.decodeNil() { continue }
        values.append(try items.decode(Int.self))
      }
      pair = values + [container.allKeys.count, container.contains(.list) ? 1 : 0]
      try super.init(from: container.superDecoder())
    }
  }
  private class Base: Decodable, @unchecked Sendable {
    let id: Int
  }

  @Test(arguments: [
    #"{"super":{"id":7},"name":"n","nested":{"pair":[1,null,2]},"list":0,"more":1}"#,
    #"{"name":"n","nested":{"pair":[]}}"#,
    #"{"super":{"id":7},"name":"n","nested":{"pair":["x"]}}"#,
    #"{"super":{"id":7},"nested":{"pair":[]}}"#,
  ])
  func `containers used by hand give what Foundation's give`(text: String) {
    let own = try? JSONDecoding().decode(Derived.self, from: Array(text.utf8))
    let foundation = try? JSONDecoder().decode(Derived.self, from: Data(text.utf8))
    #expect(own?.id == foundation?.id)
    #expect(own?.name == foundation?.name)
    #expect(own?.pair == foundation?.pair)
  }

  @Test(arguments: 0..<150)
  func `random documents decode as with Foundation`(seed: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let tree = RandomTree.make(using: &numbers, depth: 4)
    let text = String(decoding: try JSONEncoder().encode([tree]), as: UTF8.self)
    let own = try JSONDecoding().decode([RandomTree].self, from: Array(text.utf8))
    #expect(own == (try JSONDecoder().decode([RandomTree].self, from: Data(text.utf8))), "\(text)")
    #expect(own == [tree])
  }

  // MARK: Names

  @Test(arguments: [
    "a", "time_stamp", "timeStamp", "_time_stamp", "time_stamp_", "__a_b__", "a__b", "A_B",
    "URL_path",
    "_", "__", "", "id_2", "a_b_c", "ünd_ör", "x_Y_zZ", "one_TWO",
  ])
  func `names with underscores become those that Foundation makes of them`(name: String) throws {
    struct Names: Decodable, Sendable {
      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      let names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
      }
    }
    let text = "{\"\(name)\":1}"
    var decoding = JSONDecoding()
    decoding.keys = .fromSnakeCase
    let foundation = JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    #expect(
      try decoding.decode(Names.self, from: Array(text.utf8)).names
        == foundation.decode(Names.self, from: Data(text.utf8)).names)
    let kept = try decoding.decode([String: Int].self, from: Array(text.utf8))
    #expect(kept == [name: 1])
  }

  @Test func `a closure names properties`() throws {
    struct Item: Decodable, Sendable { var name: String }
    var decoding = JSONDecoding()
    decoding.keys = .custom { $0.lowercased() }
    #expect(try decoding.decode(Item.self, from: Array(#"{"NAME":"x"}"#.utf8)).name == "x")
  }

  // MARK: Conversions

  @Test func `a closure decodes a type wherever it stands`() throws {
    struct Item: Decodable, Sendable {
      var at: Date
      var all: [Date]
      var maybe: Date?
      var none: Date?
      var named: [String: Date]
    }
    var decoding = JSONDecoding()
    decoding.convert(Date.self) { decoder in
      Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
    }
    let text = #"{"at":1,"all":[2,3],"maybe":4,"none":null,"named":{"x":5}}"#
    let item = try decoding.decode(Item.self, from: Array(text.utf8))
    #expect(item.at.timeIntervalSince1970 == 1)
    #expect(item.all.map(\.timeIntervalSince1970) == [2, 3])
    #expect(item.maybe?.timeIntervalSince1970 == 4)
    #expect(item.none == nil)
    #expect(item.named["x"]?.timeIntervalSince1970 == 5)
  }

  // MARK: Errors

  @Test(arguments: [
    (#"{"inner":{"list":["x"],"map":{}}}"#, "inner.list[0]", "a string in place of a number"),
    (#"{"inner":{"list":[]}}"#, "inner.map", "there is no \"map\""),
    (#"{"a":"1"}"#, "a", "a string in place of a number"),
    (#"{"a":1.5}"#, "a", "1.5 is no Int"),
    (#"{"a":9223372036854775808}"#, "a", "9223372036854775808 is no Int"),
    (#"[]"#, "", "an array in place of an object"),
    (
      #"{"inners":[{"list":[],"map":{}},{"list":[],"map":{"k":[1,true]}}]}"#, "inners[1].map.k[1]",
      "a truth value in place of a number"
    ),
  ])
  func `an error names the way to the value`(text: String, path: String, message: String) {
    let error = #expect(throws: RequestError.self) {
      try JSONDecoding().decode(Sample.self, from: Array(text.utf8))
    }
    #expect(error?.reason == .decoding(codingPath: path, message))
  }

  @Test(arguments: [
    ("<html>", 0), ("{\"a\":tru}", 5), ("[1,2", 0), ("", 0), ("{\"é\":1,\r\n \"ü\":'x'}", 16),
    ("[1]x", 3), ("{\"a\":1,\"a\":2}", 7), ("\u{FEFF}[1,]", 5),
  ])
  func `what is not JSON is an error with the byte where it begins`(text: String, offset: Int) {
    let error = #expect(throws: RequestError.self) {
      try JSONDecoding().decode([Int].self, from: Array(text.utf8))
    }
    guard case .notJSON(let found, _)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == offset)
  }

  @Test func `an answer that is cut anywhere is not JSON`() {
    let bytes = Array(#"{"a":[1,-2.5e3,"x\u00e9ü"],"b":{"c":null,"d":true}}"#.utf8)
    for count in bytes.indices {
      let error = #expect(throws: RequestError.self) {
        try JSONDecoding().decode(NoResponse.self, from: Array(bytes[..<count]))
      }
      guard case .notJSON(let offset, _)? = error?.reason else {
        Issue.record("\(count): \(String(describing: error))")
        continue
      }
      #expect(offset <= count)
    }
    #expect(throws: Never.self) { try JSONDecoding().decode(NoResponse.self, from: bytes) }
  }

  @Test func `a byte that is no UTF-8 is found`() {
    let bytes = Array("{\"ä\":\n\"".utf8) + [0xFF] + Array("\"}".utf8)
    let error = #expect(throws: RequestError.self) {
      try JSONDecoding().decode([String: String].self, from: bytes)
    }
    guard case .notJSON(8, let text)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text == "the byte 0xFF is not valid UTF-8 here")
  }

  @Test func `an answer that is nested without end is refused`() {
    let text = String(repeating: "[", count: 100_000)
    let error = #expect(throws: RequestError.self) {
      try JSONDecoding().decode([Int].self, from: Array(text.utf8))
    }
    #expect(
      error?.reason
        == .notJSON(byteOffset: 128, "arrays and objects are nested more than 128 deep"))
  }
}

/// A document of values of all kinds.
struct RandomTree: Codable, Equatable, Sendable {
  var text: String
  var number: Double
  var count: Int64
  var flag: Bool?
  var children: [RandomTree]
  var named: [String: RandomTree]

  static func make(using numbers: inout SeededNumbers, depth: Int) -> RandomTree {
    let fanOut = depth == 0 ? 0 : Int.random(in: 0...2, using: &numbers)
    let letters = Array("aé\"\\/\n\t😀\u{1}\u{2028} z")
    let text = { (numbers: inout SeededNumbers) in
      String(
        (0..<Int.random(in: 0...6, using: &numbers)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &numbers)]
        })
    }
    return RandomTree(
      text: text(&numbers),
      number: Double.random(in: -1e6...1e6, using: &numbers),
      count: Int64.random(in: .min ... .max, using: &numbers),
      flag: [true, false, nil][Int.random(in: 0..<3, using: &numbers)],
      children: (0..<fanOut).map { _ in make(using: &numbers, depth: depth - 1) },
      named: Dictionary(
        (0..<fanOut).map { _ in (text(&numbers), make(using: &numbers, depth: depth - 1)) },
        uniquingKeysWith: { first, _ in first }))
  }
}
