internal import SeedBuilder
internal import SeedModel

/// Follows the tokens of a reading that is made for the sake of places, one at a time.
final class TokenTrace {
  /// Where the token at hand stands.
  private(set) var current: TokenPlace?
  /// The elements that are open, with their lines.
  private var elements: [(line: Int, place: TokenPlace?)] = []
  /// Where the objects start that are open, the outermost first.
  private var objects: [TokenPlace?] = []
  /// The last value, in so far as it is compared.
  private var value: (bytes: [UInt8], place: TokenPlace?) = ([], nil)
  /// Whether the token at hand is a value.
  private var hasValue = false
  /// What is looked for: the values of objects that turned out to be wrong later.
  private var wanted: [ObjectSearch.Key: Set<[UInt8]>] = [:]
  private var watched: [(key: ObjectSearch.Key, depth: Int)] = []
  private var valuePlaces: [ObjectSearch.Key: [[UInt8]: TokenPlace]] = [:]
  private var objectPlaces: [ObjectSearch.Key: TokenPlace] = [:]
  private var openCount: Int

  /// So much of a value is compared.
  static let longestValue = 4_096

  init(_ wanted: [ObjectSearch.Key: Set<[UInt8]>] = [:]) {
    self.wanted = wanted
    openCount = wanted.count
  }

  /// Whether all objects that are looked for were met, and closed.
  var isDone: Bool { !wanted.isEmpty && openCount == 0 }

  // MARK: Tokens

  /// Takes each token of a batch by itself.
  func each(of batch: TokenBatch, _ take: (TokenBatch) throws -> Void) rethrows {
    var one = batch
    one.places = []
    var (index, token) = (0, 0)
    if batch.wordCount == 0 {
      one.byteCount = 0
      return try take(one)
    }
    while index < batch.wordCount {
      let word = batch.words[index]
      let kind = word >> 30
      let hasBytes = kind == 1 || kind == 2 && word & 0x3FFF_FFFF < TokenBatch.emptyArrayMark
      one.words = batch.words + index
      one.wordCount = kind == 3 ? 1 : 2
      one.byteCount = hasBytes ? Int(one.words[1]) : 0
      hasValue = kind == 1 || kind == 2
      current = batch.places.isEmpty ? nil : batch.places[min(token, batch.places.count - 1)]
      switch kind {
      case 0: elements.append((Int(one.words[1]), current))
      case 1, 2: met(UnsafeBufferPointer(start: one.bytes, count: one.byteCount))
      default: break
      }
      try take(one)
      if kind == 3 { end() }
      one.definitions = []
      one.bytes += one.byteCount
      index += one.wordCount
      token += 1
    }
  }

  /// Starts with the next input.
  func startDocument() {
    elements = []
    objects = []
  }

  private func end() {
    openCount -= watched.count { $0.depth == elements.count }
    watched.removeAll { $0.depth == elements.count }
    elements.removeLast()
  }

  private func met(_ bytes: UnsafeBufferPointer<UInt8>) {
    value = (Array(bytes.trimmed.prefix(Self.longestValue)), current)
    for item in watched { note(value.bytes, of: item.key) }
  }

  private func note(_ bytes: [UInt8], of key: ObjectSearch.Key) {
    guard wanted[key]?.contains(bytes) == true, valuePlaces[key]?[bytes] == nil else { return }
    valuePlaces[key, default: [:]][bytes] = current
  }

  // MARK: Objects

  /// Notes that an object starts here, so many being open with it.
  func met(_ key: ObjectSearch.Key, openCount count: Int) {
    objects = Array(objects.prefix(count - 1))
    objects.append(elements.last?.place)
    guard wanted[key] != nil, objectPlaces[key] == nil else { return }
    objectPlaces[key] = elements.last?.place
    watched.append((key, elements.count))
  }

  /// Notes that the value at hand is the natural key by which an object refers to another one.
  func metKey(_ bytes: UnsafeBufferPointer<UInt8>, of key: ObjectSearch.Key) {
    let bytes = Array(bytes.trimmed.prefix(Self.longestValue))
    guard wanted[key]?.contains(bytes) == true else { return }
    valuePlaces[key, default: [:]][bytes] = current
  }

  // MARK: Places

  /// Where something stands that is being reported.
  func place(of reported: RowMisfits.Place) -> TokenPlace? {
    guard case .input(_, let line, let bytes, let object) = reported else { return nil }
    if let bytes, bytes.isEmpty {
      // An element without a text has a text of no length, and no token for it.
      return hasValue ? value.place ?? elements.last?.place : elements.last?.place
    }
    if let bytes {
      let bytes = bytes.withUnsafeBufferPointer { Array($0.trimmed) }
      if bytes == value.bytes, let place = value.place { return place }
    }
    if case .element(let depth)? = object {
      return elements.indices.contains(depth) ? elements[depth].place : elements.last?.place
    }
    if case .open(let number)? = object {
      return objects.indices.contains(number) ? objects[number] : elements.last?.place
    }
    return elements.last { $0.line == line }?.place
  }

  /// Where an object stands that was looked for, or a value of it.
  func place(of key: ObjectSearch.Key, value: [UInt8]?) -> TokenPlace? {
    let bytes = value?.withUnsafeBufferPointer { Array($0.trimmed) }
    return bytes.flatMap { valuePlaces[key]?[$0] } ?? objectPlaces[key]
  }
}
