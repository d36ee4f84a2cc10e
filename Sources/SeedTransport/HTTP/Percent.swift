/// Percent-encoding as addresses use it (RFC 3986, section 2).
package enum Percent {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// A text in which all but letters, digits, `-`, `.`, `_` and `~` is encoded.
  package static func encode(_ text: String) -> String {
    encode(text.utf8) { byte in
      HTTPURL.isLetter(byte) || HTTPURL.isDigit(byte) || "-._~".utf8.contains(byte)
    }
  }

  /// A part of an address in which what may not stand there is encoded and all else stays.
  internal static func repair(_ text: Substring) -> String {
    encode(text.utf8) { byte in
      byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }
  }

  /// The bytes that a text stands for; a percent sign without two digits stands for itself.
  internal static func decode(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = hexadecimal(bytes[index + 1]), let low = hexadecimal(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func encode(
    _ bytes: some Sequence<UInt8>, where isPlain: (UInt8) -> Bool
  ) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
