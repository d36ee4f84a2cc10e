/// Finds the name that a misspelt one was meant to be.
package enum Suggestion {
  /// The nearest of some names, or nil when none is near.
  ///
  /// Near is: at most one edit for every three characters and at least one, or a prefix of at
  /// least three characters. Among equally near names the first one wins.
  package static func nearest(to text: String, in names: [String]) -> String? {
    let text = Array(text.lowercased().unicodeScalars)
    guard !text.isEmpty else { return nil }
    var nearest: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().unicodeScalars)
      let distance = editDistance(text, candidate)
      let limit = max(1, max(text.count, candidate.count) / 3)
      guard distance <= limit || (text.count >= 3 && candidate.starts(with: text)) else {
        continue
      }
      if distance < nearest?.distance ?? .max { nearest = (name, distance) }
    }
    return nearest?.name
  }

  /// How many insertions, deletions, replacements and swaps of neighbours turn one text into the
  /// other: the optimal string alignment distance.
  package static func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      current.reserveCapacity(b.count + 1)
      for j in b.indices {
        var best = min(
          previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[b.count]
  }
}
