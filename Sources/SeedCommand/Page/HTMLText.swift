/// Texts of unknown origin as HTML shows them.
enum HTMLText {
  /// The text with every character escaped that HTML could take for markup, in content as in
  /// quoted attributes.
  ///
  /// Control characters and marks that change the direction of text become visible, as in
  /// a terminal: HTML forbids most of the former, and the latter could make a page lie.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A text of several lines, such as SQL: line breaks and tabs stay what they are.
  static func escapedLines(_ text: String) -> String {
    // By scalars: "\r\n" is one character, and the carriage return of it is to be seen.
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false)
          .map { escaped(String(String.UnicodeScalarView($0))) }.joined(separator: "\t")
      }
      .joined(separator: "\n")
  }
}
