internal import SeedModel
internal import SeedSQLite

/// Arrays and dictionaries of Transformables.
extension ObjectAssembler {
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
    structures.append(StructuredValue(name: place.name.local, isArrayItem: place.isArray))
  }

  mutating func endStructure() {
    let inner = structures.removeLast()
    structures[structures.count - 1].add(inner)
  }

  mutating func endCollected(
    _ sink: Int, _ element: UnsafeMutablePointer<OpenElement>
  ) throws {
    let value = structures.removeLast()
    if value.losesText {
      book.line = Int(element.pointee.line)
      book.reportExtra("text stands among the elements of \(value.name), and is part of no value")
    }
    let object = objects.base + (openCount - 1 - sinks[sink].level)
    if book.hasNamelessRoot, let ambiguity = value.ambiguity {
      note(
        conversions[sinks[sink].conversion], UnsafeBufferPointer(start: nil, count: 0), ambiguity,
        "leave it out, or give the archive in base64", object)
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
