/// Makes text of unknown origin safe for a terminal, and measures it.
enum TerminalText {
  /// The text with every character escaped that a terminal could take for a command.
  ///
  /// Escaped are control characters, line separators, and the marks that change the direction of
  /// text, which could make a line read as something else.
  static func escaped(_ text: String, keepingTabs: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar), !(keepingTabs && scalar == "\t") {
        escaped += escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The columns that a text takes in a terminal.
  static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
  }

  /// The columns that a character takes in a terminal; those of its escape if it has one.
  static func width(of scalar: Unicode.Scalar) -> Int {
    if isUnsafe(scalar) { return escape(scalar).utf8.count }
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  /// The text cut to a number of columns, with `…` where something is missing.
  static func cut(_ text: String, toColumns columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    var cut = ""
    var width = 0
    for scalar in text.unicodeScalars {
      width += Self.width(of: scalar)
      guard width < columns else { break }
      cut.unicodeScalars.append(scalar)
    }
    return cut + "…"
  }

  /// Whether a terminal could take a character for a command, or show text in another order for it.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  /// Whether a character takes two columns: the wide blocks of Unicode's East Asian Width.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
