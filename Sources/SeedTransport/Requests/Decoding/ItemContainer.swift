internal import SeedModel

/// The items of an array, one after the other.
internal struct ItemContainer: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private let items: [LocatedJSON]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, items: [LocatedJSON]) {
    self.decoder = decoder
    self.items = items
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  private func item(_ type: any Any.Type) throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [JSONKey(index: currentIndex)],
          debugDescription: "the array has no more than \(items.count) items"))
    }
    return decoder.decoder(of: items[currentIndex], JSONKey(index: currentIndex))
  }

  /// Takes an item; what fails stays the next one.
  private mutating func take<Value>(
    _ type: Value.Type, _ body: (ValueDecoder) throws -> Value
  ) throws -> Value {
    let value = try body(try item(type))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let isNull = try item(Never.self).decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try take(type) { try $0.floatingPoint(type) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try take(type) { try $0.floatingPoint(type) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int { try take(type) { try $0.integer(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try take(type) { try $0.integer(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try take(type) { try $0.integer(type) }
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try take(type) { try $0.integer(type) }
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try take(type) { try $0.integer(type) }
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try take(type) { try $0.integer(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try take(type) { try $0.integer(type) }
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try take(type) { try $0.integer(type) }
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try take(type) { try $0.integer(type) }
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try take(type) { try $0.integer(type) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.value(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try take(KeyedDecodingContainer<NestedKey>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try take((any Decoder).self) { $0 }
  }
}
