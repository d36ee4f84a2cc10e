package import SeedFiles
internal import SeedModel

/// Public keys of Ed25519 in a file, one of which must have signed a head.
///
/// The forms are those in which keys are handed on: PEM and DER as openssl writes them (RFC 8410), a
/// JSON Web Key or a set of them (RFC 8037, RFC 7517), and the bare 32 bytes that apps name.
package enum TrustedKeys {
  /// What stands before the 32 bytes of a key in DER (RFC 8410, section 4).
  private static let prefix: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]
  /// No file with keys is longer.
  private static let byteLimit = 1 << 16

  /// Reads the keys of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: The file system.
  /// - Returns: The keys, raw; at least one.
  /// - Throws: ``StreamPublishError`` when there is no such file, or no such key in it.
  package static func read(
    at path: String, files: FileSystem = .live
  ) throws(StreamPublishError) -> [[UInt8]] {
    let bytes = try StreamPublishError.inFile { () throws(FileError) in
      try files.contents(of: path, limit: Self.byteLimit)
    }
    guard let bytes else { throw StreamPublishError(.noTrustedKey, path: path) }
    if let blocks = PEM.blocks("PRIVATE KEY", in: bytes), !blocks.isEmpty {
      throw StreamPublishError(.privateKeyAsTrusted, path: path)
    }
    let keys = keys(in: bytes)
    guard !keys.isEmpty else { throw StreamPublishError(.unusableTrustedKey, path: path) }
    return keys
  }

  /// The keys in the bytes of a file; none where one of them is of another kind.
  private static func keys(in bytes: [UInt8]) -> [[UInt8]] {
    if bytes.count == Ed25519.keyByteCount { return [bytes] }
    if let key = key(der: bytes) { return [key] }
    let found: [[UInt8]?]
    if let blocks = PEM.blocks("PUBLIC KEY", in: bytes), !blocks.isEmpty {
      found = blocks.map { key(der: $0) }
    } else {
      do throws(JSONError) {
        let document = try JSONValue(parsing: bytes)
        found = (document["keys"]?.arrayValue ?? [document]).map { key(json: $0) }
      } catch {
        return []
      }
    }
    // One that is left out would be missed only when the others are no longer used.
    let keys = found.compactMap(\.self)
    return keys.count == found.count ? keys : []
  }

  private static func key(der: [UInt8]) -> [UInt8]? {
    guard der.starts(with: prefix), der.count == prefix.count + Ed25519.keyByteCount else {
      return nil
    }
    return Array(der.dropFirst(prefix.count))
  }

  private static func key(json: JSONValue) -> [UInt8]? {
    guard json["kty"] == "OKP", json["crv"] == "Ed25519", var text = json["x"]?.stringValue,
      let key = text.withUTF8({ Base64.bytes(of: $0) }), key.count == Ed25519.keyByteCount
    else { return nil }
    return key
  }
}
