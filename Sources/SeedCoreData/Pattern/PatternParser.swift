/// Reads the structure of a regular expression that is known to be one.
///
/// Sets of characters are left as they are written: Swift's own engine says of each character whether
/// it is in them. Which repetitions are greedy makes no difference to whether all of a text matches.
struct PatternParser {
  private var rest: ArraySlice<Unicode.Scalar>
  private var depth = 0

  /// More groups inside each other than these are left to the other engine.
  private static let mostLevels = 100
  private static let mostRepetitions = 1_000

  /// The tree; nil when something in it is not regular, or not known here.
  static func parse(_ pattern: String) -> PatternTree? {
    // What is one character to a reader is one to the parser of Swift.
    guard pattern.count == pattern.unicodeScalars.count else { return nil }
    var parser = PatternParser(rest: Array(pattern.unicodeScalars)[...])
    guard let tree = parser.choice(), parser.rest.isEmpty else { return nil }
    return tree
  }

  private init(rest: ArraySlice<Unicode.Scalar>) {
    self.rest = rest
  }

  private mutating func choice() -> PatternTree? {
    var branches: [PatternTree] = []
    repeat {
      guard let branch = sequence() else { return nil }
      branches.append(branch)
    } while take("|")
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() -> PatternTree? {
    // All of a text has to match: at the ends of the pattern, the ends of the text say nothing new.
    if depth == 0, !take("^") { _ = take(escape: "A") }
    var items: [PatternTree] = []
    while let scalar = rest.first, scalar != "|", scalar != ")" {
      if depth == 0, isAtEnd {
        rest = rest.drop { $0 != "|" }
        break
      }
      guard let item = item(), let repeated = repetition(of: item) else { return nil }
      items.append(repeated)
    }
    return items.count == 1 ? items[0] : .sequence(items)
  }

  /// Whether nothing but the mark of the text's end is left of a branch.
  private var isAtEnd: Bool {
    for mark in ["$", "\\z"] {
      let scalars = Array(mark.unicodeScalars)
      guard rest.starts(with: scalars) else { continue }
      let after = rest.dropFirst(scalars.count).first
      if after == nil || after == "|" { return true }
    }
    return false
  }

  private mutating func item() -> PatternTree? {
    guard let scalar = rest.popFirst() else { return nil }
    switch scalar {
    case "(": return group()
    case "[": return set()
    case "\\": return escape()
    case ".": return .set(".")
    case "^", "$", "*", "+", "?", "{", "}", "]": return nil
    default: return .literal(scalar)
    }
  }

  private mutating func group() -> PatternTree? {
    if take("?"), !take(":") { return nil }
    guard rest.first != "*", depth < Self.mostLevels else { return nil }
    depth += 1
    guard let inner = choice(), take(")") else { return nil }
    depth -= 1
    return inner
  }

  /// A set with the sets in it, up to its bracket.
  private mutating func set() -> PatternTree? {
    var text = "["
    var open = 1
    var isAtStart = true
    while let scalar = rest.popFirst() {
      text.unicodeScalars.append(scalar)
      switch scalar {
      case "^" where isAtStart: continue
      case "\\":
        // What stands for several characters is no set of them.
        guard let escaped = rest.popFirst(), escaped != "q", escaped != "Q" else { return nil }
        text.unicodeScalars.append(escaped)
      case "[": open += 1
      case "]" where !isAtStart: open -= 1
      default: break
      }
      if open == 0 { return .set(text) }
      isAtStart = scalar == "["
    }
    return nil
  }

  private mutating func escape() -> PatternTree? {
    guard let scalar = rest.popFirst() else { return nil }
    switch scalar {
    case "d", "D", "w", "W", "s", "S", "h", "H": return .set("\\\(scalar)")
    case "t": return .literal("\t")
    case "n": return .literal("\n")
    case "r": return .literal("\r")
    case "p", "P":
      guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
      var text = "\\\(scalar)"
      text.unicodeScalars.append(contentsOf: rest[...end])
      rest = rest[rest.index(after: end)...]
      return .set(text)
    default:
      // Letters and digits have meanings of their own, which are not known here.
      guard scalar.isASCII, !scalar.properties.isAlphabetic,
        !("0"..."9").contains(scalar)
      else { return nil }
      return .literal(scalar)
    }
  }

  // MARK: Repetitions

  private mutating func repetition(of item: PatternTree) -> PatternTree? {
    var tree = item
    switch rest.first {
    case "*": tree = .repetition(item, least: 0, most: nil)
    case "+": tree = .repetition(item, least: 1, most: nil)
    case "?": tree = .repetition(item, least: 0, most: 1)
    case "{":
      rest.removeFirst()
      guard let counted = counts(of: item) else { return nil }
      return isFollowedByMark ? nil : counted
    default: return item
    }
    rest.removeFirst()
    return isFollowedByMark ? nil : tree
  }

  /// Whether what follows a repetition changes what it is: only `?` does not, here.
  private var isFollowedByMark: Bool {
    mutating get {
      _ = take("?")
      return ["*", "+", "?", "{"].contains(rest.first)
    }
  }

  private mutating func counts(of item: PatternTree) -> PatternTree? {
    guard let least = number() else { return nil }
    if take("}") { return .repetition(item, least: least, most: least) }
    guard take(",") else { return nil }
    if take("}") { return .repetition(item, least: least, most: nil) }
    guard let most = number(), take("}"), most >= least else { return nil }
    return .repetition(item, least: least, most: most)
  }

  private mutating func number() -> Int? {
    var text = ""
    while let scalar = rest.first, ("0"..."9").contains(scalar) {
      text.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    return Int(text).flatMap { $0 <= Self.mostRepetitions ? $0 : nil }
  }

  // MARK: Characters

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func take(escape scalar: Unicode.Scalar) -> Bool {
    guard rest.starts(with: ["\\", scalar]) else { return false }
    rest.removeFirst(2)
    return true
  }
}
