internal import SeedModel

/// Goes through the tokens of an input in search of some values.
struct TokenSearch {
  /// What is looked for, in the numbers of the input's own reader.
  struct Request {
    /// The record: which one of those at its place, from 1; without it, the first such value.
    var record: (place: Int, number: Int)?
    var fields: Set<Int>
    var value: [UInt8]?
  }

  private struct Element {
    var place: Int
    var hasText = false
  }

  /// A record that is looked for, while it is open.
  private struct Active {
    var request: Int
    var depth: Int
    /// Whether the place found is that of the very value.
    var isExact = false
    /// Whether the place found is that of the value in a record around.
    var hasAround = false
    /// Whether the record itself is closed, and only what is around it may have the value.
    var isAround = false
  }

  private let requests: [Request]
  private let wantedFields: Set<Int>
  /// The requests for each record, by its place and number.
  private var waiting: [Int: [Int: [Int]]] = [:]
  private var loose: [Int] = []
  private var active: [Active] = []
  private var openCount: Int
  private(set) var places: [TokenPlace?]

  // The document.
  private var elements: [Element] = []
  private var counts: [Int: Int] = [:]
  private var fieldCount = 0
  private var textFields: [Int: Int] = [:]
  /// The place of each field's element.
  private var placeOfField: [Int] = []
  private var parentOfPlace: [Int?] = []
  /// The last value of each field whose owner is open: records around have theirs before or after.
  private var lastValues: [Int: (value: [UInt8], place: TokenPlace, depth: Int)] = [:]

  init(_ requests: [Request]) {
    self.requests = requests
    wantedFields = requests.reduce(into: []) { $0.formUnion($1.fields) }
    places = requests.map { _ in nil }
    openCount = requests.count
    for (number, request) in requests.enumerated() {
      if let record = request.record {
        waiting[record.place, default: [:]][record.number, default: []].append(number)
      } else {
        loose.append(number)
      }
    }
  }

  /// Whether all was found, or is not where it was looked for.
  var isDone: Bool { openCount == 0 }

  /// Takes the next batch, which has the places of its tokens.
  mutating func take(_ batch: TokenBatch) {
    define(batch.definitions)
    var (index, token) = (0, 0)
    var bytes = UnsafePointer(batch.bytes)
    while index < batch.wordCount {
      let word = batch.words[index]
      let number = Int(word & 0x3FFF_FFFF)
      let place = batch.places.isEmpty ? nil : batch.places[min(token, batch.places.count - 1)]
      let count = word >> 30 == 3 ? 0 : Int(batch.words[index + 1])
      token += 1
      switch word >> 30 {
      case 0: start(number, place)
      case 1:
        value(number, UnsafeBufferPointer(start: bytes, count: count), place, isWhole: true)
        bytes += count
      case 2 where number < TokenBatch.emptyArrayMark:
        text(UnsafeBufferPointer(start: bytes, count: count), place)
        bytes += count
      case 2: break
      default: end()
      }
      index += word >> 30 == 3 ? 1 : 2
    }
  }

  private mutating func define(_ definitions: [TokenDefinition]) {
    for definition in definitions {
      switch definition {
      case .place(_, let parent): parentOfPlace.append(parent)
      case .attribute(_, let place):
        placeOfField.append(place)
        fieldCount += 1
      case .text(let place):
        textFields[place] = fieldCount
        placeOfField.append(place)
        fieldCount += 1
      default: break
      }
    }
  }

  // MARK: Tokens

  private mutating func start(_ place: Int, _ token: TokenPlace?) {
    elements.append(Element(place: place))
    guard let wanted = waiting[place] else { return }
    counts[place, default: 0] += 1
    guard let found = wanted[counts[place, default: 0]] else { return }
    for request in found {
      places[request] = token
      guard let value = requests[request].value else {
        openCount -= 1
        continue
      }
      let around = requests[request].fields.compactMap { lastValues[$0] }
        .first { TokenSearch.isValue(value, $0.value[...]) }
      if let around { places[request] = around.place }
      active.append(
        Active(request: request, depth: elements.count, hasAround: around != nil))
    }
  }

  /// Whether a field belongs to what is around a place: to an element above it, or as a column to the
  /// record above.
  private func isAround(_ field: Int, _ place: Int) -> Bool {
    guard field < placeOfField.count else { return false }
    var above = parentOfPlace[place]
    while let current = above {
      if owners(of: field).contains(current) { return true }
      above = parentOfPlace[current]
    }
    return false
  }

  /// The places whose records a field's values may be of: its own, or the one above where it is a
  /// child's text.
  private func owners(of field: Int) -> [Int] {
    let place = placeOfField[field]
    let parent = textFields[place] == field ? parentOfPlace[place] : nil
    return [place] + (parent.map { [$0] } ?? [])
  }

  private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, _ token: TokenPlace?) {
    guard let element = elements.last, !element.hasText, let field = textFields[element.place]
    else { return }
    elements[elements.count - 1].hasText = true
    value(field, bytes, token, isWhole: false)
  }

  private mutating func value(
    _ field: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ token: TokenPlace?, isWhole: Bool
  ) {
    guard let token else { return }
    if wantedFields.contains(field) {
      // A child's text is a value of the element above.
      let depth = elements.count - (isWhole ? 0 : 1)
      lastValues[field] = (Array(bytes.prefix(4_096)), token, depth)
    }
    for number in loose where requests[number].fields.contains(field) {
      guard isSame(bytes, as: requests[number].value, isWhole: isWhole) else { continue }
      places[number] = token
      loose.removeAll { $0 == number }
      openCount -= 1
    }
    for index in active.indices where !active[index].isExact {
      let request = requests[active[index].request]
      guard request.fields.isEmpty || request.fields.contains(field) else { continue }
      if active[index].isAround, let record = request.record, !isAround(field, record.place) {
        continue
      }
      if isSame(bytes, as: request.value, isWhole: isWhole) {
        active[index].isExact = true
        places[active[index].request] = token
      }
    }
  }

  private func isSame(
    _ bytes: UnsafeBufferPointer<UInt8>, as value: [UInt8]?, isWhole: Bool
  ) -> Bool {
    guard let value else { return false }
    let bytes = bytes.trimmed
    // A text may come in several runs.
    return isWhole
      ? TokenSearch.isValue(value, bytes.prefix(4_096))
      : !bytes.isEmpty && TokenSearch.isStart(bytes, of: value)
  }

  /// Whether a value is a token's, whose end may be cut and whose blanks may be trimmed.
  private static func isValue(_ value: [UInt8], _ bytes: some Collection<UInt8>) -> Bool {
    value.withUnsafeBufferPointer { value in
      let value = value.trimmed.prefix(4_096)
      return value.elementsEqual(bytes)
    }
  }

  private static func isStart(_ bytes: UnsafeBufferPointer<UInt8>, of value: [UInt8]) -> Bool {
    value.withUnsafeBufferPointer { value in
      let count = min(bytes.count, value.trimmed.count, 4_096)
      return value.trimmed.prefix(count).elementsEqual(bytes.prefix(count))
    }
  }

  private mutating func end() {
    let depth = elements.count
    let place = elements.removeLast().place
    for (field, last) in lastValues where last.depth >= depth { lastValues[field] = nil }
    guard active.contains(where: { $0.depth == depth }) else { return }
    for index in active.indices where active[index].depth == depth {
      if mayStandAround(active[index], place) {
        active[index].isAround = true
        active[index].depth -= 1
      } else {
        active[index].depth = -1
      }
    }
    openCount -= active.count { $0.depth < 0 }
    active.removeAll { $0.depth < 0 }
  }

  /// Whether the value looked for may come behind an element that is closed, in what is around it.
  private func mayStandAround(_ search: Active, _ place: Int) -> Bool {
    let request = requests[search.request]
    guard !search.isExact, !search.hasAround, elements.count > 0 else { return false }
    // A field that was not met yet comes behind.
    return request.fields.contains { $0 >= placeOfField.count || isAround($0, place) }
  }
}
