/// Texts as they are stored, with marks for what cannot be seen.
enum ValueText {
  /// The text with a mark for each line break and tab, and an escape for what else has no shape.
  ///
  /// All of them stand in an element of their own, as nothing of the text itself does, so that a line
  /// break differs from a backslash with an `n`.
  static func markup(_ text: String) -> HTML {
    var markup = HTML()
    var run = ""
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      // CR and LF together are one line break.
      if isAfterReturn, scalar == "\n" {
        markup += lineBreak
        isAfterReturn = false
        continue
      }
      if isAfterReturn { markup += escape("\r") }
      isAfterReturn = scalar == "\r"
      guard TerminalText.isUnsafe(scalar) else {
        run.unicodeScalars.append(scalar)
        continue
      }
      markup += "\(run)"
      run = ""
      if !isAfterReturn { markup += mark(for: scalar) }
    }
    if isAfterReturn { markup += escape("\r") }
    return markup + "\(run)"
  }

  private static let lineBreak: HTML = "<i class=\"sign\">↵</i>"

  private static func mark(for scalar: Unicode.Scalar) -> HTML {
    switch scalar {
    case "\n": lineBreak
    case "\t": "<i class=\"sign\">⇥</i>"
    default: escape(scalar)
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> HTML { "<i>\(String(scalar))</i>" }
}
