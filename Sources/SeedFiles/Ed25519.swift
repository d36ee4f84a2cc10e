/// Signatures by Ed25519 (RFC 8032), of which only the checking is needed.
package enum Ed25519 {
  /// The bytes of a public key.
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
}
