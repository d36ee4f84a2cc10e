#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation

  extension Ed25519 {
    /// The check by the system's CryptoKit.
    internal static func verify(
      signature: [UInt8], message: [UInt8], publicKey: [UInt8]
    ) -> Bool {
      do {
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: Data(publicKey))
        return key.isValidSignature(Data(signature), for: Data(message))
      } catch {
        // The bytes are no point of the curve, so nobody can have signed with the key.
        return false
      }
    }
  }
#endif
