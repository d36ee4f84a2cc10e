internal import SeedModel
internal import SeedSQLite

/// Arrays and dictionaries of Transformables.
extension ObjectAssembler {
  func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  @inline(__always)
  func takesStructure(_ sink: Int) -> Bool {
    guard sink >= 0, sinks[sink].takesSeveral, case .cell = sinks[sink].kind else { return false }
    return true
  }

  @inline(__always)
  mutating func startValue(_ role: Int) {
    if takesStructure(roles[role].textSink) { startStructure(role) }
  }

  mutating func startStructure(_ role: Int) {
    let place = book.places[roles[role].place]
    structures.append(StructuredValue(name: place.name.local, isNamedItem: place.isArray))
  }

  mutating func endStructure(_ word: UInt32) {
    let inner = structures.removeLast()
    inner.form = ObjectAssembler.form(word)
    structures[structures.count - 1].add(inner)
  }

  /// What an element was that a token ends.
  static func form(_ word: UInt32) -> ElementForm {
    ElementForm(rawValue: word & 0x3FFF_FFFF) ?? .plain
  }

  /// Asks what an object with nothing in it is that came as an element.
  mutating func noteEmptyObject(_ element: UnsafeMutablePointer<OpenElement>) throws {
    let role = roles[element.pointee.role]
    guard role.parent >= 0 else { return }
    book.line = Int(element.pointee.line)
    _ = book.structureSink(of: Int(role.place), in: Int(role.parent))
    try settle()
  }

  /// Takes an array or an object with nothing in it, the member of the innermost element.
  mutating func addEmpty(place: Int, isArray: Bool) throws {
    guard elements.count > 0 else { return }
    let value: PropertyList = isArray ? .array([]) : .dictionary([:])
    let (role, line) = (
      elements.base[elements.count - 1].role, elements.base[elements.count - 1].line
    )
    let name = book.places[place].name.local
    switch roles[role].kind {
    case .structure: return structures[structures.count - 1].add(empty: value, name)
    case .value where takesStructure(roles[role].textSink):
      return structures[structures.count - 1].add(empty: value, name)
    // It may be the first thing that shows an object.
    case .undecided where book.isStructureOfEnd(name, role):
      try decide(by: .element(name), line: line)
    case .container where roles[role].parent < 0 && book.isAttributeOfRoot(name, role):
      try promoteRoot(role)
    case .undecided, .container, .wrapper, .object, .value, .skipped: break
    }
    book.line = Int(line)
    let sink = book.structureSink(of: place, in: role)
    try settle()
    guard sink >= 0 else { return }
    let object = objects.base + (openCount - 1 - sinks[sink].level)
    if isArray {
      // Others may add items to it.
      let column = sinks[sink].column
      object.pointee.structures[
        column, default: CollectedValue(conversion: sinks[sink].conversion)
      ].isArray = true
    } else {
      collect(value, key: nil, sink, object, isArray: false)
    }
  }

  mutating func endCollected(
    _ sink: Int, _ element: UnsafeMutablePointer<OpenElement>, _ word: UInt32
  ) throws {
    let value = structures.removeLast()
    value.form = ObjectAssembler.form(word)
    if value.losesText {
      book.line = Int(element.pointee.line)
      book.reportExtra("text stands among the elements of \(value.name), and is part of no value")
    }
    let object = objects.base + (openCount - 1 - sinks[sink].level)
    if value.hasNull {
      note(
        conversions[sinks[sink].conversion], UnsafeBufferPointer(start: nil, count: 0),
        "has null in an array", "leave it out, or give the archive in base64", object)
    }
    collect(value.value, key: value.key, sink, object, isArray: value.isArrayItem)
  }

  func collect(
    _ value: PropertyList, key: String?, _ sink: Int,
    _ object: UnsafeMutablePointer<OpenObject>, isArray: Bool
  ) {
    if book.hasNamelessRoot, isArray || value.isStructured, value.hasNumberLikeTexts {
      book.noteArchivedNumbers(conversions[sinks[sink].conversion].pointee.attribute.name)
    }
    let column = sinks[sink].column
    var collected =
      object.pointee.structures[column] ?? CollectedValue(conversion: sinks[sink].conversion)
    collected.isArray = collected.isArray || isArray
    collected.values.append((key, value))
    object.pointee.structures[column] = collected
  }

  func archiveStructures(_ object: UnsafeMutablePointer<OpenObject>) {
    for (column, collected) in object.pointee.structures.sorted(by: { $0.key < $1.key }) {
      let conversion = conversions[collected.conversion]
      let outcome = TransformableValue(conversion.pointee).data(of: collected)
      switch outcome {
      case .success(nil): break
      case .success(let data?):
        object.pointee.isSet[column] = true
        data.withUnsafeBufferPointer { object.pointee.setCopy(column, .blob, $0) }
      case .failure(let fault):
        note(
          conversion, UnsafeBufferPointer(start: nil, count: 0), fault.reason, fault.hint, object)
      }
    }
  }
}
