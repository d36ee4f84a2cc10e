#if !canImport(CommonCrypto)
  internal import CCrypto

  /// SHA-512 by OpenSSL.
  internal enum SHA512Hasher {
    internal static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
      // Without the configuration file, as for SHA-256.
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
      let algorithm = EVP_MD_fetch(nil, "SHA512", nil)
      defer { EVP_MD_free(algorithm) }
      return [UInt8](unsafeUninitializedCapacity: SHA512Digest.byteCount) { buffer, count in
        let result = EVP_Digest(
          bytes.baseAddress, bytes.count, buffer.baseAddress, nil, algorithm, nil)
        precondition(result == 1, "OpenSSL cannot compute SHA-512")
        count = SHA512Digest.byteCount
      }
    }
  }
#endif
