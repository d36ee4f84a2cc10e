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

    /// The signature by the system's CryptoKit.
    internal static func sign(_ message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
      do {
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(privateKey))
        return Array(try key.signature(for: Data(message)))
      } catch {
        // The caller says that it cannot be done; what CryptoKit adds to that is no help.
        return nil
      }
    }

    /// The public key by the system's CryptoKit.
    internal static func derivePublicKey(of privateKey: [UInt8]) -> [UInt8]? {
      do {
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: Data(privateKey))
        return Array(key.publicKey.rawRepresentation)
      } catch {
        // As above.
        return nil
      }
    }
  }
#endif
