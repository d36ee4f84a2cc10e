internal import SeedFiles
package import SeedModel

/// A head in a JSON Web Signature: flattened JSON (RFC 7515, section 7.2.2) with EdDSA (RFC 8037).
///
/// Signing the head covers all that it names, since that is addressed by its digest.
package enum SignedHead {
  /// The head within a document, checked where keys are given.
  ///
  /// - Parameters:
  ///   - document: The document, a head or a signature around one.
  ///   - keys: The public keys of which one must have signed; without any, no signature is asked
  ///     for, and one that is there is not looked at.
  /// - Returns: The head's own document; nil when no key has signed it.
  /// - Throws: ``StreamHeadError`` when what was signed is no JSON.
  package static func payload(
    of document: JSONValue, keys: [[UInt8]]
  ) throws(StreamHeadError) -> JSONValue? {
    guard let payload = document["payload"]?.stringValue,
      let signature = document["signature"]?.stringValue
    else {
      // Not in one expression: `nil` may also stand for JSON's null.
      guard keys.isEmpty else { return .none }
      return document
    }
    if !keys.isEmpty {
      guard let protected = document["protected"]?.stringValue, isEdDSA(protected),
        let signature = decode(signature)
      else { return .none }
      let message = Array("\(protected).\(payload)".utf8)
      let isSigned = keys.contains {
        Ed25519.isValid(signature: signature, message: message, publicKey: $0)
      }
      guard isSigned else { return .none }
    }
    guard let bytes = decode(payload) else { throw StreamHeadError(.member("payload")) }
    do throws(JSONError) {
      return try JSONValue(parsing: bytes)
    } catch {
      throw StreamHeadError(.malformed("\(error)"))
    }
  }

  /// Whether a document is a signature around something, of whatever worth.
  package static func isSigned(_ document: JSONValue) -> Bool {
    document["payload"]?.stringValue != nil && document["signature"]?.stringValue != nil
  }

  /// A document around a head.
  ///
  /// - Parameters:
  ///   - payload: The head's own document.
  ///   - privateKey: The private key, raw.
  /// - Returns: The bytes of the document; nil where there is no signing with such a key.
  package static func document(around payload: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
    let (protected, body) = (encode(Array(#"{"alg":"EdDSA"}"#.utf8)), encode(payload))
    let message = Array("\(protected).\(body)".utf8)
    guard let signature = Ed25519.signature(of: message, privateKey: privateKey) else {
      return nil
    }
    let members: [(String, String)] = [
      ("payload", body), ("protected", protected), ("signature", encode(signature)),
    ]
    // None of the texts has anything that JSON would have to escape.
    let lines = members.map { "\"\($0.0)\":\"\($0.1)\"" }
    return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
  }

  /// Base64 in the alphabet for addresses without padding, as RFC 7515 has it.
  private static func encode(_ bytes: [UInt8]) -> String {
    let text = Base64.text(bytes).utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a protected header names the algorithm, and asks for nothing that must be understood.
  private static func isEdDSA(_ text: String) -> Bool {
    guard let bytes = decode(text) else { return false }
    do throws(JSONError) {
      let header = try JSONValue(parsing: bytes)
      return header["alg"] == "EdDSA" && header["crit"] == nil
    } catch {
      return false
    }
  }

  private static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { Base64.bytes(of: $0) }
  }
}
