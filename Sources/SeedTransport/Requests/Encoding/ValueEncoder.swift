internal import SeedModel

/// Encodes types to a JSON value.
internal struct ValueEncoder: Encoder {
  let codingPath: [any CodingKey]
  let slot: EncodedValue

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError`, or what a type's own `encode(to:)` throws.
  static func encode(_ value: some Encodable, at path: [any CodingKey]) throws -> JSONValue {
    let encoder = ValueEncoder(codingPath: path, slot: EncodedValue())
    try value.encode(to: encoder)
    return encoder.slot.json
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.beginObject()
    return KeyedEncodingContainer(MemberEncoding<Key>(codingPath: codingPath, slot: slot))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.beginArray()
    return ItemEncoding(codingPath: codingPath, slot: slot)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  // MARK: Numbers

  static func integer(
    _ value: some FixedWidthInteger & Sendable, at path: [any CodingKey]
  ) throws -> JSONValue {
    guard let exact = Int64(exactly: value) else {
      throw unfit(value, at: path, "it has more than 64 bits with its sign")
    }
    return .integer(exact)
  }

  static func number(
    _ value: some BinaryFloatingPoint & Sendable, at path: [any CodingKey]
  ) throws -> JSONValue {
    guard value.isFinite else { throw unfit(value, at: path, "it is not finite") }
    // A Float's own text, since the double that is equal to it has more digits.
    return .number(Double("\(value)") ?? Double(value))
  }

  private static func unfit(
    _ value: any Sendable, at path: [any CodingKey], _ why: String
  ) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: path, debugDescription: "\(value) is no number here: \(why)"))
  }
}

/// Where an encoded value is put together; the containers of one value share it.
internal final class EncodedValue {
  private enum Content {
    case value(JSONValue)
    case array([EncodedValue])
    case object([(name: String, value: EncodedValue)])
  }

  private var content = Content.value(.object([]))

  init(_ value: JSONValue = .object([])) { content = .value(value) }

  func set(_ value: JSONValue) { content = .value(value) }

  func beginObject() {
    if case .object = content { return }
    content = .object([])
  }

  func beginArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Sets a member, which takes the place of one of its name.
  func set(_ name: String, _ value: EncodedValue) {
    guard case .object(var members) = content else { return }
    content = .object([])
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append((name, value))
    }
    content = .object(members)
  }

  func append(_ value: EncodedValue) {
    guard case .array(var items) = content else { return }
    content = .array([])
    items.append(value)
    content = .array(items)
  }

  var count: Int { if case .array(let items) = content { items.count } else { 0 } }

  var json: JSONValue {
    switch content {
    case .value(let value): value
    case .array(let items): .array(items.map(\.json))
    case .object(let members): .object(members.map { JSONValue.Member($0.name, $0.value.json) })
    }
  }
}

extension ValueEncoder: SingleValueEncodingContainer {
  mutating func encodeNil() throws { slot.set(.null) }
  mutating func encode(_ value: Bool) throws { slot.set(.bool(value)) }
  mutating func encode(_ value: String) throws { slot.set(.string(value)) }
  mutating func encode(_ value: Double) throws { slot.set(try Self.number(value, at: codingPath)) }
  mutating func encode(_ value: Float) throws { slot.set(try Self.number(value, at: codingPath)) }
  mutating func encode(_ value: Int) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: Int8) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: Int16) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: Int32) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: Int64) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: UInt) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: UInt8) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: UInt16) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: UInt32) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: UInt64) throws { slot.set(try Self.integer(value, at: codingPath)) }
  mutating func encode(_ value: some Encodable) throws { try value.encode(to: self) }
}
