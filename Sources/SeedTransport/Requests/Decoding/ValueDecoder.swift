internal import SeedModel

/// A name, or the number of an item, on the way to a value.
internal struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(index: Int) {
    stringValue = "[\(index)]"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(index: intValue) }
}

/// The way to a value; a list from the value outwards, so that going on costs no copy.
internal final class ValuePath: Sendable {
  private let key: any CodingKey
  private let parent: ValuePath?

  init(_ key: any CodingKey, below parent: ValuePath?) {
    self.key = key
    self.parent = parent
  }

  /// The keys from the outermost one on.
  static func keys(_ path: ValuePath?) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    var next = path
    while let step = next {
      keys.append(step.key)
      next = step.parent
    }
    return keys.reversed()
  }
}

/// Decodes types from one value of a JSON document.
///
/// Without Foundation, whose decoder would cost an app's start-up time and the exactness of large
/// integers.
internal struct ValueDecoder: Decoder {
  let json: LocatedJSON
  let path: ValuePath?
  let settings: JSONDecoding
  /// Whether the members of the object are a dictionary's, whose names are data.
  var keepsNames = false

  var codingPath: [any CodingKey] { ValuePath.keys(path) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - json: What to decode it from.
  ///   - keys: The way there, for errors.
  ///   - settings: How to decode.
  /// - Throws: `DecodingError`, or what a type's own initializer throws.
  /// - Returns: The value.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from json: LocatedJSON, at keys: [any CodingKey], _ settings: JSONDecoding
  ) throws -> Value {
    let path = keys.reduce(nil as ValuePath?) { ValuePath($1, below: $0) }
    return try ValueDecoder(json: json, path: path, settings: settings).value(type)
  }

  /// The value, decoded as its type, or the settings, have it.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let conversion = settings.conversions[ObjectIdentifier(type)] {
      if let value = try conversion(self) as? Value { return value }
    }
    var decoder = self
    decoder.keepsNames = type is any StringKeyedDictionary.Type
    return try type.init(from: decoder)
  }

  /// A decoder of a value inside of this one.
  func decoder(of json: LocatedJSON, _ key: any CodingKey) -> ValueDecoder {
    ValueDecoder(json: json, path: ValuePath(key, below: path), settings: settings)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = json.value else {
      throw mismatch([String: Any].self, "an object")
    }
    return KeyedDecodingContainer(MemberContainer<Key>(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let items) = json.value else { throw mismatch([Any].self, "an array") }
    return ItemContainer(decoder: self, items: items)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

/// Dictionaries with texts as keys, which are not names of properties.
private protocol StringKeyedDictionary {}
extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {}

extension ValueDecoder {
  // MARK: Values

  func bool() throws -> Bool {
    guard case .bool(let value) = json.value else { throw mismatch(Bool.self, "a truth value") }
    return value
  }

  func string() throws -> String {
    guard case .string(let value) = json.value else { throw mismatch(String.self, "a string") }
    return value
  }

  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    switch json.value {
    case .integer(let value):
      if let exact = Integer(exactly: value) { return exact }
    case .number(let value):
      let literal = json.literal ?? ""
      // Beyond 64 bits with a sign, but perhaps not without; or `1.0`, or `1e3`.
      let isWhole = !literal.utf8.contains { [0x2E, 0x45, 0x65].contains($0) }
      if let exact = isWhole ? Integer(literal) : Integer(exactly: value) { return exact }
    default: throw mismatch(type, "a number")
    }
    throw corrupted("\(json.literal ?? "the number") is no \(type)")
  }

  func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ type: Number.Type
  ) throws -> Number {
    switch json.value {
    case .integer, .number: break
    default: throw mismatch(type, "a number")
    }
    let literal = json.literal ?? ""
    // Neither what overflows nor what vanishes.
    let mantissa = literal.utf8.prefix { $0 | 0x20 != 0x65 }
    guard let value = Number(literal), value.isFinite,
      value != 0 || !mantissa.contains(where: { (0x31...0x39).contains($0) })
    else {
      throw corrupted("\(literal) is no \(type)")
    }
    return value
  }

  // MARK: Errors

  func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
    let text = "\(json.kindName) in place of \(expected)"
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: text)
    if case .null = json.value { return .valueNotFound(type, context) }
    return .typeMismatch(type, context)
  }

  func corrupted(_ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { json.value == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try bool() }
  func decode(_ type: String.Type) throws -> String { try string() }
  func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }
  func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}
