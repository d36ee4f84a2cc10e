#if !canImport(CommonCrypto)
  internal import CCrypto

  /// MD5 by OpenSSL.
  internal enum MD5Hasher {
    internal static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
      // Without the configuration file, as for SHA-256.
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
      let algorithm = EVP_MD_fetch(nil, "MD5", nil)
      defer { EVP_MD_free(algorithm) }
      return [UInt8](unsafeUninitializedCapacity: MD5Digest.byteCount) { buffer, count in
        let result = EVP_Digest(
          bytes.baseAddress, bytes.count, buffer.baseAddress, nil, algorithm, nil)
        precondition(result == 1, "OpenSSL cannot compute MD5")
        count = MD5Digest.byteCount
      }
    }
  }
#endif
