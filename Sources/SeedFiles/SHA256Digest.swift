/// SHA-256 over bytes that come in pieces.
///
/// Not copyable, because the state lives in the system's library.
package struct SHA256Digest: ~Copyable {
  private var hasher = SHA256Hasher()

  /// The number of bytes in a digest.
  package static let byteCount = 32

  /// A digest of no bytes yet.
  package init() {}

  /// Adds bytes; a buffer without any changes nothing.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    hasher.update(bytes)
  }

  /// The 32 bytes of the digest of everything added so far; more may be added afterwards.
  package func finalize() -> [UInt8] { hasher.finalize() }

  /// The digest of everything added so far as 64 lower-case hexadecimal digits.
  package func hexadecimal() -> String { Self.hexadecimal(finalize()) }

  /// Bytes as lower-case hexadecimal digits, two each.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
