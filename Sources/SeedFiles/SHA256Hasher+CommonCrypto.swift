#if canImport(CommonCrypto)
  internal import CommonCrypto

  /// SHA-256 by the system's CommonCrypto.
  internal struct SHA256Hasher: ~Copyable {
    private var context = CC_SHA256_CTX()

    internal init() {
      CC_SHA256_Init(&context)
    }

    internal mutating func update(_ bytes: UnsafeRawBufferPointer) {
      // The length is 32 bits wide.
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
        CC_SHA256_Update(&context, piece.baseAddress, CC_LONG(piece.count))
        rest = rest.dropFirst(piece.count)
      }
    }

    internal func finalize() -> [UInt8] {
      // Finishing spoils a context, so a copy is finished.
      var copy = context
      return [UInt8](unsafeUninitializedCapacity: SHA256Digest.byteCount) { buffer, count in
        CC_SHA256_Final(buffer.baseAddress, &copy)
        count = SHA256Digest.byteCount
      }
    }
  }
#endif
