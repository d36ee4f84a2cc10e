internal import SeedModel

/// The members of an object that is encoded.
internal struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey]
  let slot: EncodedValue

  private func put(_ value: JSONValue, _ key: any CodingKey) {
    slot.set(key.stringValue, EncodedValue(value))
  }

  /// An encoder of the member of a key.
  private func encoder(_ key: any CodingKey) -> ValueEncoder {
    let member = EncodedValue()
    slot.set(key.stringValue, member)
    return ValueEncoder(codingPath: codingPath + [key], slot: member)
  }

  mutating func encodeNil(forKey key: Key) throws { put(.null, key) }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    put(.bool(value), key)
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    put(.string(value), key)
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    put(try ValueEncoder.number(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    put(try ValueEncoder.number(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: Int, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: Int8, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: Int16, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: Int32, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: Int64, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: UInt, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: UInt8, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: UInt16, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: UInt32, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }
  mutating func encode(_ value: UInt64, forKey key: Key) throws {
    put(try ValueEncoder.integer(value, at: codingPath + [key]), key)
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try value.encode(to: encoder(key))
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder(JSONKey("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// The items of an array that is encoded.
internal struct ItemEncoding: UnkeyedEncodingContainer {
  let codingPath: [any CodingKey]
  let slot: EncodedValue

  var count: Int { slot.count }

  private var itemPath: [any CodingKey] { codingPath + [JSONKey(index: count)] }

  private func put(_ value: JSONValue) { slot.append(EncodedValue(value)) }

  /// An encoder of the next item.
  private func encoder() -> ValueEncoder {
    let item = ValueEncoder(codingPath: itemPath, slot: EncodedValue())
    slot.append(item.slot)
    return item
  }

  mutating func encodeNil() throws { put(.null) }
  mutating func encode(_ value: Bool) throws { put(.bool(value)) }
  mutating func encode(_ value: String) throws { put(.string(value)) }
  mutating func encode(_ value: Double) throws { put(try ValueEncoder.number(value, at: itemPath)) }
  mutating func encode(_ value: Float) throws { put(try ValueEncoder.number(value, at: itemPath)) }
  mutating func encode(_ value: Int) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: Int8) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: Int16) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: Int32) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: Int64) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: UInt) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: UInt8) throws { put(try ValueEncoder.integer(value, at: itemPath)) }
  mutating func encode(_ value: UInt16) throws {
    put(try ValueEncoder.integer(value, at: itemPath))
  }
  mutating func encode(_ value: UInt32) throws {
    put(try ValueEncoder.integer(value, at: itemPath))
  }
  mutating func encode(_ value: UInt64) throws {
    put(try ValueEncoder.integer(value, at: itemPath))
  }
  mutating func encode(_ value: some Encodable) throws { try value.encode(to: encoder()) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder() }
}
