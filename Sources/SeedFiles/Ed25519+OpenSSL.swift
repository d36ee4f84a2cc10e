#if !canImport(CryptoKit)
  internal import CCrypto

  extension Ed25519 {
    /// The check by OpenSSL.
    internal static func verify(
      signature: [UInt8], message: [UInt8], publicKey: [UInt8]
    ) -> Bool {
      // The configuration file is not read, as for digests.
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
      guard
        let key = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, publicKey, publicKey.count)
      else { return false }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { fatalError("out of memory") }
      defer { EVP_MD_CTX_free(context) }
      guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
      return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
  }
#endif
