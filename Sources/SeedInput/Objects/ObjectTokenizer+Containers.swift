internal import SeedModel

/// Objects and arrays: their starts and ends.
extension ObjectTokenizer {
  // MARK: Objects

  /// Starts an object: the document's value, that of the member at hand, or an array's next item.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func startObject(line: UInt32) throws(ObjectFailure) {
    guard openCount > 0 else {
      batch.appendStart(place: ObjectPlaceTable.root, line: line)
      return try openItem(at: Int32(ObjectPlaceTable.root), isRow: false, line: line)
    }
    let holder = top
    switch holder.pointee.kind {
    case .object: try startMemberObject(of: holder, line: line)
    case .array:
      noteStructuredItem(at: holder.pointee.place)
      holder.pointee.memberCount = 1
      batch.appendStart(place: Int(holder.pointee.place), line: line)
      try openItem(at: holder.pointee.place, isRow: false, line: line)
    case .collection:
      let place = holder.pointee.place
      if places.places[Int(place)].keyField < 0 {
        try places.defineKey(of: place, &batch.definitions)
      }
      batch.appendStart(place: Int(place), line: line)
      batch.appendField(
        Int(places.places[Int(place)].keyField), count: batch.byteCount - keyStart)
      try openItem(at: place, isRow: true, line: line)
    }
  }

  private mutating func startMemberObject(
    of holder: UnsafeMutablePointer<Open>, line: UInt32
  ) throws(ObjectFailure) {
    let link = holder.pointee.current
    noteStructured(link)
    if places.links[Int(link)].state == .keyed {
      places.links[Int(link)].instance = 0
      let place = try places.rowPlace(of: link, below: holder.pointee.place, &batch.definitions)
      try push(Open(kind: .collection, isElement: false, place: place, link: link, line: line))
      return
    }
    let place = try places.place(of: link, below: holder.pointee.place, &batch.definitions)
    batch.appendStart(place: Int(place), line: line)
    try push(
      Open(
        kind: .object, isElement: true, isCandidate: places.links[Int(link)].state == .candidate,
        place: place, link: link, line: line))
    places.links[Int(link)].instance = lastSerial
  }

  /// Opens an object that is an element at a place by itself, not as the value of a member.
  private mutating func openItem(
    at place: Int32, isRow: Bool, line: UInt32
  ) throws(ObjectFailure) {
    let state = places.places[Int(place)].state
    if state == .keyed {
      let rows = try places.rowPlace(ofItem: place, &batch.definitions)
      try push(Open(kind: .collection, isElement: true, place: rows, owner: place, line: line))
      return
    }
    try push(
      Open(
        kind: .object, isElement: true, isCandidate: state == .candidate, isRow: isRow,
        place: place, owner: place, line: line))
  }

  /// Ends the innermost object.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func endObject() throws(ObjectFailure) {
    let object = top
    if object.pointee.kind == .object {
      if object.pointee.isCandidate { judgeCandidate(object) }
      if object.pointee.hasKeptNames { forgetNamesOfMembers(of: object) }
      if object.pointee.isRow { judgeRow(object) }
      closePlace(of: object)
    }
    if object.pointee.kind == .collection { openCollectionCount -= 1 }
    if object.pointee.isElement {
      batch.appendEnd(form(of: object))
    } else if marksEmptyMembers, object.pointee.memberCount == 0 {
      batch.appendEmpty(place: Int(object.pointee.place), mark: TokenBatch.emptyObjectMark)
    }
    openCount -= 1
    if openCount > 0, top.pointee.isCandidate, top.pointee.memberCount == earlyMemberCount {
      judgeOpenCandidate()
    }
    try flushIfFull()
  }

  /// What an object is that ends, and that is an element.
  @inline(__always)
  private func form(of object: UnsafeMutablePointer<Open>) -> ElementForm {
    if object.pointee.link >= 0 || object.pointee.isRow { return .object }
    return object.pointee.kind == .collection ? .collection : .item
  }

  /// Leaves the members of a place as they were before an object of it was opened.
  @inline(__always)
  mutating func closePlace(of object: UnsafeMutablePointer<Open>) {
    if object.pointee.isNested {
      keepNames(of: object)
      restore(object)
    }
    places.places[Int(object.pointee.place)].openCount -= 1
  }

  private mutating func restore(_ object: UnsafeMutablePointer<Open>) {
    object.pointee.isNested = false
    for _ in 0..<object.pointee.undoCount {
      let (link, seen, instance) = undo.removeLast()
      places.links[Int(link)].seen = seen
      places.links[Int(link)].instance = instance
    }
  }

  // MARK: Arrays

  /// Starts an array: the document's value, that of the member at hand, or an array's next item.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func startArray(line: UInt32) throws(ObjectFailure) {
    guard openCount > 0 else {
      return try openArray(at: Int32(ObjectPlaceTable.root), line: line)
    }
    let holder = top
    switch holder.pointee.kind {
    case .object:
      let link = holder.pointee.current
      noteStructured(link)
      if holder.pointee.isCandidate { rejectCandidate() }
      let place = try places.place(of: link, below: holder.pointee.place, &batch.definitions)
      places.noteArray(of: place, &batch.definitions)
      try push(Open(kind: .array, isElement: false, place: place, line: line))
    case .array:
      noteStructuredItem(at: holder.pointee.place)
      holder.pointee.memberCount = 1
      try openArray(at: holder.pointee.place, line: line)
    case .collection:
      rejectCollection()
      try push(Open(kind: .array, isElement: false, place: holder.pointee.place, line: line))
    }
  }

  /// Opens an array that is an element by itself.
  private mutating func openArray(at place: Int32, line: UInt32) throws(ObjectFailure) {
    batch.appendStart(place: Int(place), line: line)
    let items = try places.itemPlace(of: place, &batch.definitions)
    try push(Open(kind: .array, isElement: true, place: items, line: line))
  }

  /// Ends the innermost array.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func endArray() throws(ObjectFailure) {
    let array = top
    if array.pointee.isElement {
      batch.appendEnd(.array)
    } else if marksEmptyMembers, array.pointee.memberCount == 0 {
      batch.appendEmpty(place: Int(array.pointee.place), mark: TokenBatch.emptyArrayMark)
    }
    openCount -= 1
    try flushIfFull()
  }
}
