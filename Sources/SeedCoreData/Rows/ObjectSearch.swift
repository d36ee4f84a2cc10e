/// Finds the places of objects that turned out to be wrong when all were there, by reading the
/// inputs once more: the keys are the same in every reading.
final class ObjectSearch {
  /// An object by its table and key.
  struct Key: Hashable {
    var table: Int
    var key: Int64
  }

  private let wanted: Set<Key>
  private(set) var places: [Key: (document: Int, line: Int)] = [:]

  init(_ wanted: some Sequence<Key>) {
    self.wanted = Set(wanted)
  }

  var isDone: Bool { places.count == wanted.count }

  func met(table: Int, key: Int64, document: Int, line: Int) {
    let key = Key(table: table, key: key)
    if wanted.contains(key) { places[key] = (document, line) }
  }
}
