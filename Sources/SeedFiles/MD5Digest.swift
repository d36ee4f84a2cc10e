/// MD5 over bytes that are all there: for names that another system has chosen so, never for safety.
package enum MD5Digest {
  /// The number of bytes in a digest.
  package static let byteCount = 16

  /// The digest as 32 lower-case hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    SHA256Digest.hexadecimal(bytes.withUnsafeBytes { MD5Hasher.digest(of: $0) })
  }
}
