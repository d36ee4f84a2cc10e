internal import SeedModel

/// What to do about a natural key that no row has.
package enum UnknownKey {
  /// The hint: the key that was meant, or what is the same in another spelling.
  ///
  /// - Parameters:
  ///   - text: The key.
  ///   - known: The keys that rows have.
  ///   - table: What they are rows of.
  /// - Returns: What to do.
  package static func hint(for text: String, known: [String], table: String) -> String {
    if let same = known.first(where: { isSame($0, text) }) {
      return
        "there is \"\(same)\", which differs in its spelling alone, and keys are compared letter "
        + "by letter: write both alike"
        + (Double(text) == nil ? "" : ", or declare the column a number")
    }
    return Suggestion.nearest(to: text, in: known).map { "did you mean \"\($0)\"?" }
      ?? "add it to \(table)"
  }

  /// Whether two keys are one number, or differ in case and blanks at their ends only.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    if let number = Double(first), number == Double(second) { return true }
    return bare(first) == bare(second)
  }

  private static func bare(_ text: String) -> String {
    var scalars = text.lowercased().unicodeScalars[...]
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    return String(scalars)
  }
}
