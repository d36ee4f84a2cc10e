/// URIs as texts (RFC 3986).
enum URIText {
  /// Whether a text is a URI with a scheme, of characters that a URI may have.
  static func isAbsolute(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard hasScheme(text), let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
    var index = colon + 1
    while index < text.count {
      if text[index] == UInt8(ascii: "%") {
        guard index + 2 < text.count, isDigit(text[index + 1]), isDigit(text[index + 2]) else {
          return false
        }
      } else if !isAllowed(text[index]) {
        return false
      }
      index += 1
    }
    return true
  }

  /// Whether a text begins with a scheme, and something follows it.
  static func hasScheme(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
    return colon + 1 < text.count && isLetter(text[0]) && text[..<colon].allSatisfy(isInScheme)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || "+-.".utf8.contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Characters beyond ASCII would have to be written with `%`.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
  }
}
