#if canImport(CommonCrypto)
  internal import CommonCrypto

  /// MD5 by the system's CommonCrypto.
  internal enum MD5Hasher {
    internal static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
      digest(of: bytes, by: CommonMD5.self)
    }

    private static func digest(
      of bytes: UnsafeRawBufferPointer, by function: (some DigestFunction).Type
    ) -> [UInt8] {
      // The length is 32 bits wide; what is digested here is far shorter.
      precondition(bytes.count <= Int(CC_LONG.max))
      return [UInt8](unsafeUninitializedCapacity: MD5Digest.byteCount) { buffer, count in
        function.run(bytes, buffer.baseAddress)
        count = MD5Digest.byteCount
      }
    }
  }

  private protocol DigestFunction {
    static func run(_ bytes: UnsafeRawBufferPointer, _ digest: UnsafeMutablePointer<UInt8>?)
  }

  /// The system marks the function as deprecated because it is not safe, which a name need not be;
  /// so marked itself and called as a protocol's, this one calls it without a warning.
  private enum CommonMD5: DigestFunction {
    @available(*, deprecated, message: "MD5 is not safe")
    static func run(_ bytes: UnsafeRawBufferPointer, _ digest: UnsafeMutablePointer<UInt8>?) {
      CC_MD5(bytes.baseAddress, CC_LONG(bytes.count), digest)
    }
  }
#endif
