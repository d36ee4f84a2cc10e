package import SeedFiles
internal import SeedStreams

/// The private key of Ed25519 with which heads are signed.
package struct SigningKey: Sendable, Hashable {
  /// What stands before the 32 bytes of a key (RFC 8410, section 7).
  private static let prefix: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]
  /// No file with a key is longer.
  private static let byteLimit = 1 << 16

  /// The private key, raw; never shown.
  private let bytes: [UInt8]
  /// The public key, raw: what apps trust.
  package let publicKey: [UInt8]

  /// Reads a key from a file as `openssl genpkey -algorithm ed25519` writes it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: The file system.
  /// - Throws: ``StreamPublishError`` when there is no such file, or no such key in it.
  package init(pemAt path: String, files: FileSystem = .live) throws(StreamPublishError) {
    let text = try StreamPublishError.inFile { () throws(FileError) in
      try files.contents(of: path, limit: Self.byteLimit)
    }
    guard let text else { throw StreamPublishError(.noSigningKey, path: path) }
    guard let key = PEM.blocks("PRIVATE KEY", in: text)?.first,
      key.starts(with: Self.prefix), key.count == Self.prefix.count + Ed25519.keyByteCount
    else { throw StreamPublishError(.unusableSigningKey, path: path) }
    bytes = Array(key.dropFirst(Self.prefix.count))
    guard let publicKey = Ed25519.publicKey(of: bytes) else {
      throw StreamPublishError(.noSignatures, path: path)
    }
    self.publicKey = publicKey
  }

  /// A document around a head, with its signature.
  ///
  /// - Throws: ``StreamPublishError`` when the system cannot sign.
  func signed(_ head: [UInt8], path: String) throws(StreamPublishError) -> [UInt8] {
    guard let document = SignedHead.document(around: head, privateKey: bytes) else {
      throw StreamPublishError(.noSignatures, path: path)
    }
    return document
  }
}
