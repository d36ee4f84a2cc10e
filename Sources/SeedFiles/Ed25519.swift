/// Signatures by Ed25519 (RFC 8032): apps check them, publishers make them.
package enum Ed25519 {
  /// The bytes of a public key, and of a private one.
  package static let keyByteCount = 32
  /// The bytes of a signature.
  package static let signatureByteCount = 64

  /// Whether a signature was made for a message with the key that belongs to a public one.
  ///
  /// - Parameters:
  ///   - signature: The signature.
  ///   - message: The bytes that were signed.
  ///   - publicKey: The public key, raw.
  /// - Returns: False also for a key or a signature of another length.
  package static func isValid(
    signature: [UInt8], message: [UInt8], publicKey: [UInt8]
  ) -> Bool {
    guard publicKey.count == keyByteCount, signature.count == signatureByteCount else {
      return false
    }
    return verify(signature: signature, message: message, publicKey: publicKey)
  }

  /// The signature of a message.
  ///
  /// - Parameters:
  ///   - message: The bytes to sign.
  ///   - privateKey: The private key, raw.
  /// - Returns: Nil for a key of another length, and where the system has no such signatures.
  package static func signature(of message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
    guard privateKey.count == keyByteCount else { return nil }
    return sign(message, privateKey: privateKey)
  }

  /// The public key that belongs to a private one.
  ///
  /// - Parameter privateKey: The private key, raw.
  /// - Returns: Nil for a key of another length, and where the system has no such signatures.
  package static func publicKey(of privateKey: [UInt8]) -> [UInt8]? {
    guard privateKey.count == keyByteCount else { return nil }
    return derivePublicKey(of: privateKey)
  }
}
