/// The orders that Core Data sorts names in.
package enum EntityOrder {
  /// Whether an entity comes before another one in the order of ids: letters of both cases are
  /// the same.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    let (one, other) = (first.lowercased(), second.lowercased())
    return one == other ? isBefore(first, second) : isBefore(one, other)
  }

  /// Whether a name comes before another one by its characters alone.
  package static func isBefore(_ first: String, _ second: String) -> Bool {
    first.unicodeScalars.lexicographicallyPrecedes(second.unicodeScalars)
  }
}
