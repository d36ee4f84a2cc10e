internal import SeedTransport

/// The encoding that a server names beside the type of a document.
internal enum ContentCharset {
  /// The parameter `charset` of `Content-Type` (RFC 9110, section 8.3.1), without quotes; nil when
  /// there is none.
  internal static func name(in headers: HTTPHeaders) -> String? {
    guard let type = headers["Content-Type"] else { return nil }
    for parameter in parameters(of: type) {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
      var value = trimmed(parts[1])
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = value.dropFirst().dropLast()
      }
      return value.isEmpty ? nil : String(value)
    }
    return nil
  }

  /// What stands between semicolons that are not in quotes, but the type itself.
  private static func parameters(of type: String) -> [Substring] {
    var isQuoted = false
    return type.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ";" && !isQuoted
    }.dropFirst().map { $0 }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
