#if !canImport(CommonCrypto)
  internal import CCrypto

  /// SHA-256 by OpenSSL.
  internal struct SHA256Hasher: ~Copyable {
    private let context: OpaquePointer

    /// The algorithm, looked up once: OpenSSL's lookup by name takes locks each time.
    ///
    /// Without the configuration file, which takes longer to read than many a build.
    private static let algorithm = Algorithm()

    /// Never freed and never changed after its look-up, so any thread may use it.
    private struct Algorithm: @unchecked Sendable {
      let pointer: OpaquePointer?

      init() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
        pointer = EVP_MD_fetch(nil, "SHA256", nil)
      }
    }

    internal init() {
      guard let context = EVP_MD_CTX_new() else { fatalError("out of memory") }
      self.context = context
      Self.check(EVP_DigestInit_ex2(context, Self.algorithm.pointer, nil))
    }

    deinit {
      EVP_MD_CTX_free(context)
    }

    internal mutating func update(_ bytes: UnsafeRawBufferPointer) {
      Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    internal func finalize() -> [UInt8] {
      // Finishing spoils a context, so a copy is finished.
      guard let copy = EVP_MD_CTX_new() else { fatalError("out of memory") }
      defer { EVP_MD_CTX_free(copy) }
      Self.check(EVP_MD_CTX_copy_ex(copy, context))
      return [UInt8](unsafeUninitializedCapacity: SHA256Digest.byteCount) { buffer, count in
        Self.check(EVP_DigestFinal_ex(copy, buffer.baseAddress, nil))
        count = SHA256Digest.byteCount
      }
    }

    /// SHA-256 in memory fails only without memory or without any provider of algorithms.
    private static func check(_ result: Int32) {
      precondition(result == 1, "OpenSSL cannot compute SHA-256")
    }
  }
#endif
