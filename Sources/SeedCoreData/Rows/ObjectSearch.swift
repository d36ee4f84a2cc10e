/// Finds the places of objects that turned out to be wrong when all were there, by reading the
/// inputs once more: the keys are the same in every reading.
final class ObjectSearch {
  /// An object by its table and key.
  struct Key: Hashable {
    var table: Int
    var key: Int64
  }

  private let wanted: Set<Key>
  /// Gets all objects, if the reading is for the places of tokens.
  private let trace: TokenTrace?
  private(set) var places: [Key: (document: Int, line: Int)] = [:]

  init(_ wanted: some Sequence<Key>) {
    self.wanted = Set(wanted)
    trace = nil
  }

  init(tracing trace: TokenTrace) {
    wanted = []
    self.trace = trace
  }

  var isDone: Bool { places.count == wanted.count }

  /// Takes an object that starts, so many being open with it.
  func met(table: Int, key: Int64, document: Int, line: Int, openCount: Int) {
    let key = Key(table: table, key: key)
    trace?.met(key, openCount: openCount)
    if wanted.contains(key) { places[key] = (document, line) }
  }

  /// Takes a natural key by which an object refers to another one.
  func metKey(_ value: UnsafeBufferPointer<UInt8>, table: Int, key: Int64) {
    trace?.metKey(value, of: Key(table: table, key: key))
  }
}
