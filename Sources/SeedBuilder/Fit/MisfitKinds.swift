package import SeedModel

/// Counts what does not fit by its kind: the first few of each are told, of the others how many
/// they are.
package struct MisfitKinds {
  private struct Count {
    var told = 0
    var untold = 0
    /// The number of the last that was told.
    var last = 0
  }

  private var counts: [String: Count] = [:]

  /// A tally of nothing.
  package init() {}

  /// Whether another one of a kind is to be told; one that is not is counted.
  package mutating func takes(_ kind: String) -> Bool {
    guard counts[kind, default: Count()].told >= MisfitReport.mostOfOneKind else { return true }
    counts[kind, default: Count()].untold += 1
    return false
  }

  /// Notes that one of a kind is told, as the one of a number.
  package mutating func note(_ kind: String, number: Int) {
    counts[kind, default: Count()].told += 1
    counts[kind, default: Count()].last = number
  }

  /// Whether anything of a kind was told.
  package func has(_ kind: String) -> Bool { counts[kind, default: Count()].told > 0 }

  /// What there is to say of the others, each after the last that was told of its kind.
  ///
  /// - Parameters:
  ///   - told: What was told, by number.
  ///   - isCutShort: Whether the rest of the inputs was not looked at.
  /// - Returns: Notes, each at the place of that last one.
  package func remarks(after told: [Diagnostic], isCutShort: Bool) -> [Diagnostic] {
    counts.values.filter { $0.untold > 0 && told.indices.contains($0.last) }
      .sorted { $0.last < $1.last }
      .map { count in
        let number = (isCutShort ? "at least " : "") + "\(count.untold) more"
        return Diagnostic(
          .note, "\(number) of this kind \(count.untold == 1 ? "is" : "are") not shown",
          at: told[count.last].location)
      }
  }
}
