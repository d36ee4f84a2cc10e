/// Letters that mean the same where case does not matter, and of which neither is the other's capital.
///
/// ICU, by which Core Data compares, folds them (unicode.org, CaseFolding.txt, status C and S); Swift
/// compares small letters.
enum PatternFolding {
  private static let folds: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{B5}": "\u{3BC}", "\u{17F}": "s", "\u{345}": "\u{3B9}", "\u{3C2}": "\u{3C3}",
    "\u{3D0}": "\u{3B2}", "\u{3D1}": "\u{3B8}", "\u{3D5}": "\u{3C6}", "\u{3D6}": "\u{3C0}",
    "\u{3F0}": "\u{3BA}", "\u{3F1}": "\u{3C1}", "\u{3F5}": "\u{3B5}", "\u{1E9B}": "\u{1E61}",
    "\u{1FBE}": "\u{3B9}", "\u{212A}": "k", "\u{212B}": "\u{E5}", "\u{2126}": "\u{3C9}",
  ]

  /// Whether case does not matter anywhere in a pattern: it says so at its start, and nothing else.
  static func isCaseless(_ pattern: String) -> Bool {
    pattern.hasPrefix("(?i)") && !pattern.dropFirst(4).contains("(?-")
      && !switches(pattern.dropFirst(4))
  }

  /// Whether case does not matter in some part of a pattern.
  static func switches(_ pattern: some StringProtocol) -> Bool {
    pattern.split(separator: "(?", omittingEmptySubsequences: false).dropFirst().contains { flags in
      flags.prefix { $0.isASCII && $0.isLowercase }.contains("i")
    }
  }

  /// Whether a text has letters that matter here.
  static func concerns(_ text: String) -> Bool {
    text.unicodeScalars.contains { folds[$0] != nil || folds.values.contains($0) && !$0.isASCII }
  }

  /// A text with one letter in the place of all that mean the same.
  static func folded(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars { result.unicodeScalars.append(folds[scalar] ?? scalar) }
    return result
  }
}
