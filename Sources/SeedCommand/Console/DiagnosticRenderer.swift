import SeedModel
import SeedTransport

/// Writes diagnostics in the form of compilers, which editors know how to open, and without the
/// passwords of addresses, wherever those were given.
///
///     Events.xml:41:17: error: "31.02.2010" is not a date
///       <Event timeStamp="31.02.2010"/>
///                         ^
///     hint: correct the value
struct DiagnosticRenderer {
  /// Whether the text carries colours.
  var usesColor: Bool

  /// The diagnostic as lines, each with its line break.
  func text(for diagnostic: Diagnostic) -> String {
    let place = diagnostic.location.map { shown($0.description) } ?? "seed"
    let severity = diagnostic.severity
    var text = styled("\(place):", .bold) + " "
    text += styled("\(severity.rawValue):", Style(severity)) + " "
    text += styled(shown(diagnostic.message), .bold) + "\n"
    if let excerpt = diagnostic.excerpt { text += lines(for: excerpt) }
    if let hint = diagnostic.hint {
      text += styled("hint:", .cyan) + " \(shown(hint))\n"
    }
    return text
  }

  private func shown(_ text: String) -> String {
    TerminalText.escaped(HTTPURL.withoutCredentials(text))
  }

  /// The source line, and below it the caret.
  private func lines(for excerpt: SourceExcerpt) -> String {
    let text = HTTPURL.withoutCredentials(excerpt.text)
    // What is left out moves the caret, which may have stood in it.
    let dropped = excerpt.text.unicodeScalars.count - text.unicodeScalars.count
    let caret = max(0, excerpt.caretOffset - (text == excerpt.text ? 0 : dropped))
    let before = text.unicodeScalars.prefix(caret)
    // A tab stays a tab, so that the caret is right whatever the terminal's tab stops are.
    let indentation = before.map { scalar in
      scalar == "\t" ? "\t" : String(repeating: " ", count: TerminalText.width(of: scalar))
    }
    return TerminalText.escaped(text, keepingTabs: true) + "\n"
      + indentation.joined() + styled("^", .green) + "\n"
  }

  private enum Style: String {
    case bold = "1"
    case red = "1;31"
    case magenta = "1;35"
    case cyan = "1;36"
    case green = "1;32"

    init(_ severity: Diagnostic.Severity) {
      switch severity {
      case .error: self = .red
      case .warning: self = .magenta
      case .note: self = .cyan
      }
    }
  }

  private func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
