/// Text values as SQL writes them.
package enum SQLiteText {
  /// The text in single quotes: `it's` becomes `'it''s'`.
  ///
  /// SQL text ends at a NUL for SQLite, so one inside is written by way of `char(0)`.
  package static func literal(_ text: String) -> String {
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return enclosed(text, in: "'") }
    return "(" + parts.map { enclosed($0, in: "'") }.joined(separator: "||char(0)||") + ")"
  }

  /// The text between two marks, with each mark inside doubled.
  internal static func enclosed(_ text: some StringProtocol, in mark: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    result.append(mark)
    for scalar in text.unicodeScalars {
      result.append(scalar)
      if scalar == mark { result.append(mark) }
    }
    result.append(mark)
    return String(result)
  }
}
