internal import SeedModel

/// The members of an object by their names.
internal struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let values: [String: LocatedJSON]
  /// The names of properties in the order of the document.
  private let names: [String]

  init(decoder: ValueDecoder, members: [LocatedJSON.Member]) {
    self.decoder = decoder
    names = members.map { member in
      decoder.keepsNames
        ? member.name.value : decoder.settings.propertyName(member.name.value)
    }
    // Two members may become one property; the first one is it, as in Foundation.
    values = Dictionary(zip(names, members.map(\.value))) { first, _ in first }
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  private func value(_ key: Key) throws -> ValueDecoder {
    guard let json = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "there is no \"\(key.stringValue)\""))
    }
    return decoder.decoder(of: json, key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key).floatingPoint(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(key).floatingPoint(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key).integer(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key).integer(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key).integer(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    let null = LocatedJSON(.null, at: decoder.json.location)
    return decoder.decoder(of: values["super"] ?? null, JSONKey("super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let null = LocatedJSON(.null, at: decoder.json.location)
    return decoder.decoder(of: values[key.stringValue] ?? null, key)
  }
}
