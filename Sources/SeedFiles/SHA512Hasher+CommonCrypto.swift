#if canImport(CommonCrypto)
  internal import CommonCrypto

  /// SHA-512 by the system's CommonCrypto.
  internal enum SHA512Hasher {
    internal static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
      // The length is 32 bits wide; what is digested here is far shorter.
      precondition(bytes.count <= Int(CC_LONG.max))
      return [UInt8](unsafeUninitializedCapacity: SHA512Digest.byteCount) { buffer, count in
        CC_SHA512(bytes.baseAddress, CC_LONG(bytes.count), buffer.baseAddress)
        count = SHA512Digest.byteCount
      }
    }
  }
#endif
