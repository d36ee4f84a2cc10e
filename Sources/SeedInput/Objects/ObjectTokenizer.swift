internal import SeedModel

/// Turns the objects, arrays and values of a document into tokens.
///
/// An object is an element; its members that are neither objects nor arrays are fields of it, the
/// objects and the items of arrays among them are child elements of the member's name. What is no
/// object in an array is an element with the field `text`; arrays in arrays have the children
/// `item`.
///
/// A struct behind a pointer, not a class: each call then reaches its state without the checks that
/// Swift makes for a class's properties.
struct ObjectTokenizer {
  /// What an open value is.
  enum Kind: UInt8 {
    case object, array
    /// An object whose members are rows.
    case collection
  }

  /// A value between its start and its end.
  struct Open {
    var kind: Kind
    /// Whether a token has started it.
    var isElement: Bool
    /// Whether nothing contradicts so far that the object is a keyed collection.
    var isCandidate = false
    /// Whether the object is a row of a keyed collection.
    var isRow = false
    /// Whether another object of its place is open around it.
    var isNested = false
    /// The place of an object; of an array's items; of a collection's rows.
    var place: Int32
    /// The link that says whether the object is a collection; -1 when ``owner`` does.
    var link: Int32 = -1
    /// The place that says so.
    var owner: Int32 = -1
    /// The link of the member at hand, and the one that most likely follows; -1 for none.
    var current: Int32 = -1
    var expected: Int32 = -1
    var memberCount: UInt32 = 0
    /// How many members are among those that all rows have.
    var commonCount: UInt32 = 0
    /// Tells the object apart from all others.
    var serial: UInt64 = 0
    var line: UInt32
    var undoCount = 0
    /// How many of ``nestedNames`` are of its members.
    var nestedCount = 0
  }

  var batch: TokenBatch
  var places: ObjectPlaceTable
  /// The open values; room for as many as the limit allows.
  let open: UnsafeMutablePointer<Open>
  private(set) var openCount = 0
  private var lastSerial: UInt64 = 0
  /// Where in the batch's bytes the key of the next row starts.
  private var keyStart = 0
  /// The keys of the open collections, the innermost last, and after them sets to be used again.
  private var keySets: [ObjectKeySet] = []
  private var openCollectionCount = 0
  /// What members held before a nested object of the same place used them.
  private var undo: [(link: Int32, seen: UInt64)] = []
  /// The names in objects that are members of a possible collection and were open inside their own
  /// place, whose links have forgotten them.
  var nestedNames: [(instance: UInt64, names: Set<Int32>)] = []
  /// How many bytes of the input were read.
  var inputBytesRead: Int64 = 0
  /// Whether the reading serves to find out about the structure only.
  var isScanning = false
  private let fullByteCount = TokenBatch.preferredByteCount
  private let fullWordCount: Int
  private let deepest = InputLimits.depth
  private let findings: StructureFindings
  /// Hands a complete batch over and gives an empty one; nil when nobody wants more.
  private let deliver: (TokenBatch) -> TokenBatch?

  /// An object with so many members is judged before its end, so that it does not use up the places
  /// of a document.
  private var earlyMemberCount: UInt32 { 100 }

  /// A tokenizer at the start of a document.
  ///
  /// - Throws: ``ObjectFailure``, when the name of the records is too long.
  init(
    _ settings: ReaderSettings, findings: StructureFindings, firstBatch: TokenBatch,
    deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws(ObjectFailure) {
    batch = firstBatch
    places = try ObjectPlaceTable(
      findings: findings, recordName: settings.recordName, definitions: &batch.definitions)
    self.findings = findings
    self.deliver = deliver
    fullWordCount = settings.batchWordCount
    open = .allocate(capacity: InputLimits.depth)
  }

  func deallocate() {
    open.deallocate()
    for keys in keySets { keys.deallocate() }
    places.deallocate()
    batch.deallocate()
  }

  // MARK: Where the document is

  /// The innermost open value.
  ///
  /// - Precondition: There is one.
  @inline(__always)
  var top: UnsafeMutablePointer<Open> { open + (openCount - 1) }

  /// Whether the innermost open value is an array; false when none is open.
  @inline(__always)
  var isInArray: Bool { openCount > 0 && open[openCount - 1].kind == .array }

  // MARK: Members

  /// The member that is written here, if it is the one expected; -1 if not.
  ///
  /// - Parameters:
  ///   - text: The name as the document has it, up to its closing quote and beyond.
  ///   - end: The end of what is there to read; at least eight bytes follow.
  /// - Returns: The member's link.
  @inline(__always)
  func expectedMember(at text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int32 {
    let head = UnsafeRawPointer(text).loadUnaligned(as: UInt64.self)
    var link = open[openCount - 1].expected
    // Most often it is the next one, or one is left out.
    for _ in 0..<3 {
      guard link >= 0 else { return -1 }
      let candidate = places.links + Int(link)
      if UInt64(littleEndian: head) & candidate.pointee.headMask == candidate.pointee.head,
        candidate.pointee.byteCount < 8
          || ObjectTokenizer.hasTail(of: candidate, text, end: end)
      {
        return link
      }
      link = candidate.pointee.next
    }
    return -1
  }

  @inline(__always)
  private static func hasTail(
    of link: UnsafeMutablePointer<ObjectPlaceTable.Link>, _ text: UnsafePointer<UInt8>,
    end: UnsafePointer<UInt8>
  ) -> Bool {
    let count = link.pointee.byteCount
    guard end - text > count, text[count] == UInt8(ascii: "\"") else { return false }
    let name = link.pointee.bytes
    var index = 8
    while index < count {
      if text[index] != name[index] { return false }
      index += 1
    }
    return true
  }

  /// Starts the member of a name in the innermost object.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func member(_ name: UnsafePointer<UInt8>, count: Int) throws(ObjectFailure) {
    let number = try findings.names.number(of: name, count: count)
    try takeMember(try places.link(number, of: top.pointee.place))
  }

  /// Starts the member of a name, or the key of a row.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func name(_ name: UnsafePointer<UInt8>, count: Int) throws(ObjectFailure) {
    guard top.pointee.kind == .collection else { return try member(name, count: count) }
    startKey()
    batch.append(bytes: name, count: count)
    try endKey()
  }

  /// Starts a member that is known.
  ///
  /// - Throws: ``ObjectFailure/duplicate(_:)``.
  @inline(__always)
  mutating func takeMember(_ link: Int32) throws(ObjectFailure) {
    let object = top
    let member = places.links + Int(link)
    if member.pointee.seen == object.pointee.serial {
      throw .duplicate(findings.names.text(member.pointee.name))
    }
    if object.pointee.isNested { keepForUndo(link, of: object) }
    member.pointee.seen = object.pointee.serial
    object.pointee.current = link
    object.pointee.expected = member.pointee.next
    object.pointee.memberCount &+= 1
    if member.pointee.isCommon { object.pointee.commonCount &+= 1 }
  }

  private mutating func keepForUndo(_ link: Int32, of object: UnsafeMutablePointer<Open>) {
    undo.append((link, places.links[Int(link)].seen))
    object.pointee.undoCount += 1
  }

  /// Starts the key of a row of the innermost collection; its bytes are appended to the batch.
  @inline(__always)
  mutating func startKey() {
    keyStart = batch.byteCount
  }

  /// Ends the key of a row.
  ///
  /// - Throws: ``ObjectFailure``, when it is too long, or the collection has it already.
  mutating func endKey() throws(ObjectFailure) {
    top.pointee.memberCount &+= 1
    let key = UnsafePointer(batch.bytes + keyStart)
    let count = batch.byteCount - keyStart
    if openCollectionCount > 0,
      !keySets[openCollectionCount - 1].insert(key, count: count)
    {
      throw .duplicate(
        String(decoding: UnsafeBufferPointer(start: key, count: count), as: UTF8.self))
    }
    guard batch.byteCount - keyStart <= InputLimits.nameBytes else {
      throw .limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
  }

  // MARK: Values that are no objects and no arrays

  /// Ends a value whose bytes were appended to the batch.
  ///
  /// - Parameters:
  ///   - start: Where in the batch's bytes it starts.
  ///   - line: The line that it stands in.
  ///   - use: What kind of value it is.
  /// - Throws: ``ObjectFailure``.
  @inline(__always)
  mutating func endValue(
    from start: Int, line: UInt32, _ use: ObjectPlaceTable.FieldUse = .plain
  ) throws(ObjectFailure) {
    let holder = top
    guard holder.pointee.kind == .object else {
      return try endLooseValue(from: start, line: line, use)
    }
    let link = places.links + Int(holder.pointee.current)
    if link.pointee.field < 0 {
      try places.defineField(
        of: holder.pointee.current, place: holder.pointee.place, &batch.definitions)
    }
    if !link.pointee.use.isSuperset(of: use) {
      link.pointee.use.add(use, to: link.pointee.field, &batch.definitions)
    }
    batch.appendField(Int(link.pointee.field), count: batch.byteCount - start)
    if holder.pointee.isCandidate { rejectCandidate() }
    if batch.byteCount >= 4 * fullByteCount { try flush() }
  }

  private mutating func endLooseValue(
    from start: Int, line: UInt32, _ use: ObjectPlaceTable.FieldUse
  ) throws(ObjectFailure) {
    guard top.pointee.kind == .array else { return rejectCollection() }
    let place = top.pointee.place
    if places.places[Int(place)].textField < 0 {
      try places.defineText(of: place, &batch.definitions)
    }
    if !places.places[Int(place)].textUse.isSuperset(of: use) {
      places.places[Int(place)].textUse.add(
        use, to: places.places[Int(place)].textField, &batch.definitions)
    }
    batch.appendStart(place: Int(place), line: line)
    batch.appendField(
      Int(places.places[Int(place)].textField), count: batch.byteCount - start)
    batch.appendEnd()
    try flushIfFull()
  }

  /// A value that says that there is none.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func null(line: UInt32) throws(ObjectFailure) {
    let holder = top
    switch holder.pointee.kind {
    case .object:
      let link = places.links + Int(holder.pointee.current)
      if link.pointee.field < 0, !link.pointee.isStructured {
        try places.defineField(
          of: holder.pointee.current, place: holder.pointee.place, &batch.definitions)
      }
      if holder.pointee.isCandidate { rejectCandidate() }
    case .array:
      let place = places.places + Int(holder.pointee.place)
      if place.pointee.textField < 0, !place.pointee.hasStructuredItems {
        try places.defineText(of: holder.pointee.place, &batch.definitions)
      }
      batch.appendStart(place: Int(holder.pointee.place), line: line)
      batch.appendEnd()
      try flushIfFull()
    case .collection: rejectCollection()
    }
  }

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
      if object.pointee.nestedCount > 0 { nestedNames.removeLast(object.pointee.nestedCount) }
      if object.pointee.isRow { judgeRow(object) }
      closePlace(of: object)
    }
    if object.pointee.kind == .collection { openCollectionCount -= 1 }
    if object.pointee.isElement { batch.appendEnd() }
    openCount -= 1
    if openCount > 0, top.pointee.isCandidate, top.pointee.memberCount == earlyMemberCount {
      judgeOpenCandidate()
    }
    try flushIfFull()
  }

  /// Leaves the members of a place as they were before an object of it was opened.
  @inline(__always)
  mutating func closePlace(of object: UnsafeMutablePointer<Open>) {
    if object.pointee.isNested {
      keepNestedNames(of: object)
      restore(object)
    }
    places.places[Int(object.pointee.place)].openCount -= 1
  }

  private mutating func restore(_ object: UnsafeMutablePointer<Open>) {
    object.pointee.isNested = false
    for _ in 0..<object.pointee.undoCount {
      let (link, seen) = undo.removeLast()
      places.links[Int(link)].seen = seen
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
    if top.pointee.isElement { batch.appendEnd() }
    openCount -= 1
    try flushIfFull()
  }

  // MARK: Open values and batches

  @inline(__always)
  private mutating func push(_ value: Open) throws(ObjectFailure) {
    guard openCount < deepest else { throw .limit(.valuesTooDeep) }
    (open + openCount).initialize(to: value)
    openCount += 1
    guard value.kind == .object else {
      if value.kind == .collection { openKeySet() }
      return
    }
    lastSerial += 1
    top.pointee.serial = lastSerial
    let place = places.places + Int(value.place)
    top.pointee.expected = place.pointee.firstLink
    top.pointee.isNested = place.pointee.openCount > 0
    place.pointee.openCount += 1
  }

  /// Makes a set for the keys of the collection that was opened.
  mutating func openKeySet() {
    if openCollectionCount < keySets.count {
      keySets[openCollectionCount].removeAll()
    } else {
      keySets.append(ObjectKeySet())
    }
    openCollectionCount += 1
  }

  @inline(__always)
  private mutating func flushIfFull() throws(ObjectFailure) {
    // Whole records stay together where that is possible, so that a batch shows their shape.
    guard batch.byteCount >= fullByteCount || batch.wordCount >= fullWordCount else { return }
    let isOverfull =
      batch.byteCount >= 4 * fullByteCount || batch.wordCount >= 4 * fullWordCount
    if openCount <= 2 || isOverfull { try flush() }
  }

  /// Hands over what is there.
  ///
  /// - Throws: ``ObjectFailure/cancelled``.
  mutating func flush() throws(ObjectFailure) {
    // An empty batch shows how far the reading is, and learns whether it still shall go on.
    if isScanning { batch.removeAll() }
    batch.inputBytesRead = inputBytesRead
    guard let next = deliver(batch) else {
      // The batch is gone; an empty one keeps the state sound.
      batch = TokenBatch()
      throw .cancelled
    }
    batch = next
  }
}
