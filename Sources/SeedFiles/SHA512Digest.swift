/// SHA-512 over bytes that are all there.
package enum SHA512Digest {
  /// The number of bytes in a digest.
  package static let byteCount = 64

  /// The 64 bytes of the digest.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { SHA512Hasher.digest(of: $0) }
  }
}
