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

    /// Calls something with a private key of OpenSSL's own.
    private static func withKey(
      _ bytes: [UInt8], _ body: (OpaquePointer) -> [UInt8]?
    ) -> [UInt8]? {
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
      guard let key = EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, bytes, bytes.count)
      else { return nil }
      defer { EVP_PKEY_free(key) }
      return body(key)
    }

    /// The signature by OpenSSL.
    internal static func sign(_ message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
      withKey(privateKey) { key in
        guard let context = EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1 else { return nil }
        var signature = [UInt8](repeating: 0, count: signatureByteCount)
        var count = signature.count
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
          count == signatureByteCount
        else { return nil }
        return signature
      }
    }

    /// The public key by OpenSSL.
    internal static func derivePublicKey(of privateKey: [UInt8]) -> [UInt8]? {
      withKey(privateKey) { key in
        var bytes = [UInt8](repeating: 0, count: keyByteCount)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == keyByteCount else {
          return nil
        }
        return bytes
      }
    }
  }
#endif
