internal import SeedFiles
internal import SeedFormat

/// One gzip member with the digests and the lengths of what goes in and of what comes out.
package final class DigestingGzip {
  /// Digests and lengths, as the head lists them.
  package struct Totals: Sendable, Hashable {
    /// The SHA-256 of the packed bytes, 64 hexadecimal digits in lower case.
    package var sha256: String
    /// The SHA-256 of the plain bytes.
    package var plainSHA256: String
    /// The length of the packed bytes.
    package var size: Int64
    /// The length of the plain bytes.
    package var plainSize: Int64
  }

  private let deflation = GzipDeflation()
  private var plain = SHA256Digest()
  private var packed = SHA256Digest()
  private var size: Int64 = 0
  private var plainSize: Int64 = 0
  private let output: (UnsafeRawBufferPointer) throws -> Void

  /// Starts a member without name and time.
  ///
  /// - Parameter output: Takes the packed bytes, piece by piece.
  package init(output: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.output = output
  }

  /// Packs bytes.
  ///
  /// - Parameter bytes: The plain bytes.
  /// - Throws: What the output throws.
  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard !bytes.isEmpty else { return }
    plain.update(bytes)
    plainSize += Int64(bytes.count)
    try deflate(bytes, isLast: false)
  }

  /// Ends the member.
  ///
  /// - Returns: Digests and lengths.
  /// - Throws: What the output throws.
  package func finish() throws -> Totals {
    try deflate(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    return Totals(
      sha256: packed.hexadecimal(), plainSHA256: plain.hexadecimal(), size: size,
      plainSize: plainSize)
  }

  private func deflate(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws {
    try deflation.deflate(bytes, isLast: isLast) { (piece) throws in
      guard !piece.isEmpty else { return }
      packed.update(piece)
      size += Int64(piece.count)
      try output(piece)
    }
  }
}
