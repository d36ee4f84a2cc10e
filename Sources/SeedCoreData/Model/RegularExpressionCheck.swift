/// Finds what no regular expression can have; it does not know all that ICU refuses.
enum RegularExpressionCheck {
  /// What is wrong with a pattern; nil when nothing is found.
  static func fault(in pattern: String) -> String? {
    var scan = Scan(rest: Array(pattern.unicodeScalars)[...])
    return scan.fault()
  }

  private struct Scan {
    var rest: ArraySlice<Unicode.Scalar>
    var openGroups = 0
    /// Whether there is something before that a quantifier can be about.
    var hasOperand = false

    mutating func fault() -> String? {
      while let scalar = rest.popFirst() {
        switch scalar {
        case "\\":
          guard let escaped = rest.popFirst() else { return "it ends in a backslash" }
          if escaped == "Q" { skipQuotation() }
          hasOperand = true
        case "[":
          guard skipSet() else { return "a \"[\" has no \"]\"" }
          hasOperand = true
        case "(":
          openGroups += 1
          // What follows says the kind of the group, such as "(?:" or "(?i)".
          if rest.first == "?" { rest.removeFirst() }
          hasOperand = false
        case ")":
          guard openGroups > 0 else { return "a \")\" has no \"(\"" }
          openGroups -= 1
          hasOperand = true
        case "*", "+", "?":
          guard hasOperand else { return "a \"\(scalar)\" has nothing before it to repeat" }
        case "{":
          guard !isBackwards else { return "a \"{\" has its most below its least" }
          hasOperand = true
        case "|": hasOperand = false
        default: hasOperand = true
        }
      }
      return openGroups > 0 ? "a \"(\" has no \")\"" : nil
    }

    /// Whether what follows is a count such as `2,1}`.
    private var isBackwards: Bool {
      let parts = rest.prefix { $0 != "}" }.split(
        separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2, let least = Self.number(parts[0]), let most = Self.number(parts[1])
      else { return false }
      return most < least
    }

    private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> Int? {
      var text = ""
      text.unicodeScalars.append(contentsOf: digits)
      return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Passes over all up to `\E`, or to the end.
    private mutating func skipQuotation() {
      while let scalar = rest.popFirst() {
        if scalar == "\\", rest.first == "E" {
          rest.removeFirst()
          return
        }
      }
    }

    /// Passes over a set of characters with the sets in it; false when it has no end.
    private mutating func skipSet() -> Bool {
      var depth = 1
      var isAtStart = true
      while let scalar = rest.popFirst() {
        switch scalar {
        case "^" where isAtStart: continue
        case "\\": _ = rest.popFirst()
        case "[": depth += 1
        case "]" where !isAtStart: depth -= 1
        default: break
        }
        if depth == 0 { return true }
        isAtStart = scalar == "["
      }
      return false
    }
  }
}
