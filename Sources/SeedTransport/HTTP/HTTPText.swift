/// Small rules about the texts in headers.
internal enum HTTPText {
  /// A text without the blanks and tabs around it.
  internal static func trimmed(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// A whole number written in digits alone; nil for anything else.
  internal static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(HTTPURL.isDigit) else { return nil }
    return Int64(text)
  }
}
