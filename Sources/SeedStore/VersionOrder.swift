/// The order of version texts: number by number wherever digits stand, as `1.9` comes before
/// `1.10`, and `1.0b9` before `1.0b10`.
internal enum VersionOrder {
  /// A run of digits without leading zeros, of any length, or a word.
  private enum Part: Equatable {
    case number(Substring)
    case word(Substring)
  }

  /// Whether a version is older than another one.
  internal static func isOrdered(_ first: String, before second: String) -> Bool {
    let (one, other) = (parts(first), parts(second))
    for index in 0..<max(one.count, other.count) {
      // A version goes on with a number or not at all: 1.0 equals 1.0.0.
      let left = index < one.count ? one[index] : .number("")
      let right = index < other.count ? other[index] : .number("")
      guard left != right else { continue }
      return isOrdered(left, before: right)
    }
    return false
  }

  private static func parts(_ version: String) -> [Part] {
    var rest = Substring(version)
    // A tag's `v1.2` is version 1.2.
    if let first = rest.first, first == "v" || first == "V", isDigit(rest.dropFirst().first) {
      rest.removeFirst()
    }
    return rest.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "-" || $0 == "+" }
      .flatMap(runs)
  }

  /// `0b10` is a number, a word and a number; nothing is the number 0.
  private static func runs(_ text: Substring) -> [Part] {
    guard !text.isEmpty else { return [.number("")] }
    var runs: [Part] = []
    var rest = text
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      runs.append(isNumber ? .number(run.drop { $0 == "0" }) : .word(run))
      rest = rest.dropFirst(run.count)
    }
    return runs
  }

  private static func isDigit(_ character: Character?) -> Bool {
    guard let character else { return false }
    return ("0"..."9").contains(character)
  }

  private static func isOrdered(_ left: Part, before right: Part) -> Bool {
    switch (left, right) {
    case (.number(let one), .number(let other)):
      one.utf8.count == other.utf8.count ? one < other : one.utf8.count < other.utf8.count
    case (.word(let one), .word(let other)): one < other
    // A word such as `beta` comes before the number or the end: 2.0-beta before 2.0.
    case (.word, .number): true
    case (.number, .word): false
    }
  }
}
