/// Writes the classes of characters that ICU, by which Core Data compares, and Swift take for different
/// ones as sets that are the same to both.
enum PatternClasses {
  /// Sets inside of sets are read by a parser that calls itself; no pattern of a model is so deep.
  private static let mostLevels = 50
  /// Groups inside of groups, as well.
  private static let mostGroups = 200

  /// What ICU's classes have (unicode-org.github.io/icu/userguide/strings/regexp.html,
  /// "Regular Expression Metacharacters").
  private static let classes: [Unicode.Scalar: String] = [
    "d": "\\p{Nd}", "s": "\\t\\n\\f\\r\\p{Z}",
    "w": "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u{200C}\\u{200D}",
  ]

  /// A pattern of a model in the words of Swift; nil when its sets or groups are too deep.
  static func asInCoreData(_ pattern: String) -> String? {
    var result = ""
    var (level, groups) = (0, 0)
    var isQuoted = false
    var rest = Array(pattern.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let escaped = rest.popFirst() {
        if escaped == "Q" { isQuoted = true }
        if escaped == "E" { isQuoted = false }
        result += isQuoted ? "\\\(escaped)" : written(escaped, isInSet: level > 0)
        continue
      }
      if !isQuoted, scalar == "[" { level += 1 }
      if !isQuoted, scalar == "]" { level = max(level - 1, 0) }
      if !isQuoted, level == 0 {
        if scalar == "(" { groups += 1 }
        if scalar == ")" { groups -= 1 }
      }
      guard level <= mostLevels, groups <= mostGroups else { return nil }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static func written(_ escaped: Unicode.Scalar, isInSet: Bool) -> String {
    if let members = classes[escaped] { return isInSet ? members : "[\(members)]" }
    let isUpper = ("A"..."Z").contains(escaped)
    if isUpper, let lower = Unicode.Scalar(escaped.value | 0x20), let members = classes[lower] {
      return "[^\(members)]"
    }
    return "\\\(escaped)"
  }
}
