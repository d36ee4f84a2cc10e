internal import SeedBuilder
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Puts objects together from tokens and has their rows inserted.
///
/// The hot loop of a build into a store. All it touches for an ordinary token lies in plain memory;
/// what an element is, or where a value goes, is asked of the ``RoleBook`` once.
struct ObjectAssembler {
  let plan: StorePlan
  /// What is inserted into; nil when objects are only counted.
  let rows: StoreRows?
  let misfits: RowMisfits
  /// Objects whose places are wanted.
  var search: ObjectSearch?
  var book: RoleBook
  /// The number of objects so far.
  var objectCount: Int64 = 0
  /// The success and the message of an envelope.
  var envelope: [String?] = [nil, nil]

  var elements = ElementStack()
  var objects = PinnedList<OpenObject>()
  var openCount = 0
  var structures: [StructuredValue] = []
  var slots: [(element: Int, slot: Int, value: [UInt8])] = []
  /// The key that the last object of each table got.
  let lastKeys: UnsafeMutablePointer<Int64>
  /// Text that was put together from several runs.
  private var joined: UnsafeMutablePointer<UInt8>
  private var joinedCapacity = 1 << 12
  let noBytes: UnsafeMutablePointer<UInt8>

  // The book's memory, as far as it is known now.
  var roles: UnsafeMutablePointer<ElementRole>
  var latestRoles: UnsafeMutablePointer<Int32>
  var localFields: UnsafeMutablePointer<Int32>
  var sinks: UnsafeMutablePointer<Sink>
  var links: UnsafeMutablePointer<NestedLink>
  var shapes: UnsafeMutablePointer<ObjectShape>
  var conversions: [UnsafeMutablePointer<AttributeConversion>] = []

  init(
    _ book: RoleBook, rows: StoreRows?, search: ObjectSearch? = nil
  ) {
    plan = book.plan
    misfits = book.misfits
    self.book = book
    self.rows = rows
    self.search = search
    lastKeys = .allocate(capacity: max(1, plan.tables.count))
    lastKeys.initialize(repeating: 0, count: max(1, plan.tables.count))
    joined = .allocate(capacity: joinedCapacity)
    noBytes = .allocate(capacity: 1)
    noBytes.initialize(to: 0)
    roles = book.roles.base
    latestRoles = book.latestRoles.base
    localFields = book.localFields.base
    sinks = book.sinks.base
    links = book.links.base
    shapes = book.shapes.base
  }

  func deallocate() {
    for index in 0..<objects.count { objects.base[index].deallocate() }
    objects.deallocate()
    elements.deallocate()
    lastKeys.deallocate()
    joined.deallocate()
    noBytes.deallocate()
  }

  /// Starts the next document.
  mutating func start(_ book: RoleBook) {
    self.book = book
    envelope = [nil, nil]
    refresh()
  }

  /// Takes over what the book has added.
  private mutating func refresh() {
    roles = book.roles.base
    latestRoles = book.latestRoles.base
    localFields = book.localFields.base
    sinks = book.sinks.base
    links = book.links.base
    shapes = book.shapes.base
    conversions = book.conversions.conversions
  }

  /// After something was decided.
  mutating func settle() throws {
    refresh()
    if book.needsReread { throw RereadNeeded() }
  }

  // MARK: Tokens

  /// Takes one batch.
  ///
  /// - Throws: ``RereadNeeded``, ``InputError``, ``SQLiteError``.
  mutating func load(_ batch: TokenBatch) throws {
    if !batch.definitions.isEmpty {
      book.define(batch.definitions)
      try settle()
    }
    let words = batch.words
    let wordCount = batch.wordCount
    var bytes = UnsafePointer(batch.bytes)
    var index = 0
    while index < wordCount {
      let word = words[index]
      let number = Int(word & 0x3FFF_FFFF)
      switch word >> 30 {
      case 0:
        try startElement(place: number, line: words[index + 1])
        index += 2
      case 1:
        let count = Int(words[index + 1])
        try addField(number, bytes, count: count)
        bytes += count
        index += 2
      case 2 where number >= TokenBatch.emptyArrayMark:
        try addEmpty(
          place: Int(words[index + 1]), isArray: number == TokenBatch.emptyArrayMark)
        index += 2
      case 2:
        let count = Int(words[index + 1])
        try addText(bytes, count: count, isBlank: number != 0)
        bytes += count
        index += 2
      default:
        try endElement(word)
        index += 1
      }
    }
    detach(from: UnsafePointer(batch.bytes), count: batch.byteCount)
  }

  /// Copies what must outlive the batch.
  private mutating func detach(from start: UnsafePointer<UInt8>, count: Int) {
    for index in 0..<openCount { objects.base[index].detach(from: start, count: count) }
    for index in 0..<elements.count where elements.base[index].bytes != nil {
      guard !elements.base[index].isJoined, elements.base[index].count > 0 else { continue }
      joinText(of: elements.base + index, noBytes, count: 0)
    }
  }

  @inline(__always)
  private mutating func startElement(place: Int, line: UInt32) throws {
    var parent = -1
    if elements.count > 0 {
      parent = elements.base[elements.count - 1].role
      if roles[parent].kind == .undecided {
        try decide(by: .element(book.places[place].name.local), line: line)
      }
    }
    var role = Int(latestRoles[place])
    if role < 0 || roles[role].parent != parent { role = try newRole(place, parent, line) }
    elements.append(OpenElement(role: role, line: line))
    switch roles[role].kind {
    case .object: try openObject(role, line)
    case .value: startValue(role)
    case .structure: startStructure(role)
    case .container, .wrapper, .undecided, .skipped: break
    }
  }

  @inline(never)
  private mutating func newRole(_ place: Int, _ parent: Int, _ line: UInt32) throws -> Int {
    book.line = Int(line)
    if parent >= 0, roles[parent].parent < 0, roles[parent].kind == .container,
      plan.entities(matching: book.places[place].name.local).isEmpty,
      book.isAttributeOfRoot(book.places[place].name.local, parent)
    {
      try promoteRoot(parent)
    }
    let role = book.role(of: place, in: parent)
    try settle()
    return role
  }

  /// Makes an object of the outermost element, which has a value of its own.
  mutating func promoteRoot(_ role: Int) throws {
    guard objectCount == 0, elements.count == 1 else {
      book.learnt.objects.insert(book.key(of: roles[role].place))
      throw RereadNeeded()
    }
    book.promoteRoot(role)
    try settle()
    if roles[role].kind == .object { try openObject(role, elements.base[0].line) }
  }

  /// Decides what the innermost element is, which was not told by its name.
  @inline(never)
  mutating func decide(by evidence: RoleBook.Evidence, line: UInt32) throws {
    let element = elements.base + (elements.count - 1)
    book.line = Int(element.pointee.line)
    book.decide(element.pointee.role, by: evidence)
    try settle()
    if roles[element.pointee.role].kind == .object {
      try openObject(element.pointee.role, element.pointee.line)
    }
  }

  // MARK: Fields and texts

  @inline(__always)
  private mutating func addField(
    _ field: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) throws {
    let element = elements.base + (elements.count - 1)
    var role = element.pointee.role
    switch roles[role].kind {
    case .skipped: return
    case .structure:
      return addMember(field, bytes, count)
    case .undecided:
      try decide(by: .value, line: element.pointee.line)
      role = element.pointee.role
    case .value where takesStructure(roles[role].textSink):
      return addMember(field, bytes, count)
    case .value where book.isText(field):
      return addValueText(element, bytes, count)
    case .container, .wrapper, .object, .value: break
    }
    let local = Int(localFields[field])
    var sink = local < roles[role].fieldCount ? Int(roles[role].fieldSinks[local]) : Sink.unknown
    if sink == Sink.unknown { sink = try newSink(ofField: field, role, bytes, count) }
    if sink >= 0 { try put(sink, bytes, count, isInBatch: true) }
  }

  private func addMember(_ field: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard let name = book.fields[field].name else { return }
    structures[structures.count - 1].add(attribute: name, text(bytes, count))
  }

  @inline(__always)
  private mutating func addValueText(
    _ element: UnsafeMutablePointer<OpenElement>, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) {
    if element.pointee.bytes == nil {
      element.pointee.bytes = bytes
      element.pointee.count = count
    } else {
      joinText(of: element, bytes, count: count)
    }
  }

  @inline(never)
  private mutating func newSink(
    ofField field: Int, _ role: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) throws -> Int {
    book.line = Int(elements.base[elements.count - 1].line)
    book.value = UnsafeBufferPointer(start: bytes, count: min(count, 4_096))
    defer { book.value = nil }
    if roles[role].kind == .container, roles[role].parent < 0,
      let name = book.fields[field].name?.local, book.isAttributeOfRoot(name, role)
    {
      try promoteRoot(role)
    }
    let sink = book.resolveField(role, field)
    try settle()
    return sink
  }

  @inline(__always)
  private mutating func addText(
    _ bytes: UnsafePointer<UInt8>, count: Int, isBlank: Bool
  ) throws {
    let element = elements.base + (elements.count - 1)
    switch roles[element.pointee.role].kind {
    case .value:
      if !structures.isEmpty, takesStructure(roles[element.pointee.role].textSink) {
        return structures[structures.count - 1].add(
          text: UnsafeBufferPointer(start: bytes, count: count), isBlank: isBlank)
      }
      addValueText(element, bytes, count)
    case .structure:
      structures[structures.count - 1].add(
        text: UnsafeBufferPointer(start: bytes, count: count), isBlank: isBlank)
    case .skipped: return
    case .undecided:
      guard !isBlank else { return }
      try decide(by: .value, line: element.pointee.line)
      try addRecordText(element.pointee.role, bytes, count)
    case .object, .container, .wrapper:
      // Blanks in a record are formatting.
      guard !isBlank else { return }
      try addRecordText(element.pointee.role, bytes, count)
    }
  }

  @inline(never)
  private mutating func addRecordText(
    _ role: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) throws {
    var sink = roles[role].textSink
    if sink == Sink.unknown {
      book.line = Int(elements.base[elements.count - 1].line)
      book.value = UnsafeBufferPointer(start: bytes, count: min(count, 4_096))
      defer { book.value = nil }
      sink = book.resolveText(role)
      try settle()
    }
    guard sink >= 0 else { return }
    guard roles[role].kind == .object else {
      return try put(sink, bytes, count, isInBatch: true)
    }
    let object = objects.base + (openCount - 1)
    object.pointee.text += UnsafeBufferPointer(start: bytes, count: count)
    try addLength(count, to: object)
  }

  /// Joins another run of text to those before.
  private mutating func joinText(
    of element: UnsafeMutablePointer<OpenElement>, _ bytes: UnsafePointer<UInt8>, count: Int
  ) {
    let total = element.pointee.count + count
    if total > joinedCapacity {
      let capacity = total + total / 2
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      if element.pointee.isJoined { larger.update(from: joined, count: element.pointee.count) }
      joined.deallocate()
      joined = larger
      joinedCapacity = capacity
    }
    if !element.pointee.isJoined, let first = element.pointee.bytes {
      joined.update(from: first, count: element.pointee.count)
    }
    (joined + element.pointee.count).update(from: bytes, count: count)
    element.pointee.isJoined = true
    element.pointee.bytes = UnsafePointer(joined)
    element.pointee.count = total
  }

  @inline(__always)
  func addLength(_ count: Int, to object: UnsafeMutablePointer<OpenObject>) throws {
    object.pointee.byteCount += count
    if object.pointee.byteCount > InputLimits.rowBytes { throw tooLong(object) }
  }

  private func tooLong(_ object: UnsafeMutablePointer<OpenObject>) -> InputError {
    InputError(
      .tooLong(what: "a record", limit: InputLimits.rowBytes),
      at: SourceLocation(file: book.document.name, line: Int(object.pointee.line)))
  }

  // MARK: Ends

  @inline(__always)
  private mutating func endElement(_ word: UInt32) throws {
    let element = elements.base + (elements.count - 1)
    let role = element.pointee.role
    switch roles[role].kind {
    case .object: try closeObject()
    case .value: try endValue(element, word)
    case .structure: endStructure(word)
    case .undecided: book.details[role].hasEmptyUndecided = true
    case .container, .wrapper, .skipped: break
    }
    if roles[role].slotCount > 0 { slots.removeAll { $0.element == elements.count - 1 } }
    elements.removeLast()
  }

  @inline(__always)
  private mutating func endValue(
    _ element: UnsafeMutablePointer<OpenElement>, _ word: UInt32
  ) throws {
    let sink = roles[element.pointee.role].textSink
    guard sink >= 0 else { return }
    if !structures.isEmpty, takesStructure(sink) { return try endCollected(sink, element, word) }
    if element.pointee.count == 0, Self.form(word) == .object {
      try noteEmptyObject(element)
    }
    try put(
      sink, element.pointee.bytes ?? UnsafePointer(noBytes), element.pointee.count,
      isInBatch: !element.pointee.isJoined)
  }

  // MARK: Values

  /// Hands a value to all that want it.
  @inline(__always)
  mutating func put(
    _ first: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int, isInBatch: Bool
  ) throws {
    var number = first
    while number >= 0 {
      let sink = sinks + number
      let next = sink.pointee.next
      if case .cell = sink.pointee.kind, !sink.pointee.takesSeveral {
        let object = objects.base + (openCount - 1 - sink.pointee.level)
        try setCell(object, sink, bytes, count, isInBatch: isInBatch)
      } else {
        try putOther(number, bytes, count, isInBatch: isInBatch)
      }
      number = next
    }
  }

  @inline(__always)
  private mutating func setCell(
    _ object: UnsafeMutablePointer<OpenObject>, _ sink: UnsafeMutablePointer<Sink>,
    _ bytes: UnsafePointer<UInt8>, _ count: Int, isInBatch: Bool
  ) throws {
    let column = sink.pointee.column
    let conversion = conversions[sink.pointee.conversion]
    var value = UnsafeBufferPointer(start: bytes, count: count)
    if conversion.pointee.isTrimmed { value = value.trimmed }
    guard !object.pointee.isSet[column] else { return noteSecondValue(object, conversion, value) }
    object.pointee.isSet[column] = true
    try addLength(count, to: object)
    let cell = object.pointee.cells + column
    switch try conversion.pointee.convert(value, into: object.pointee.scratch(of: column)) {
    // What stands there by default stays.
    case .null: break
    case .integer(let number):
      cell.pointee = .integer(number)
    case .real(let number): cell.pointee = .real(number)
    case .sameText:
      guard isInBatch else { return object.pointee.setCopy(column, .text, value) }
      cell.pointee = .text(value.baseAddress ?? UnsafePointer(noBytes), count: value.count)
    case .scratchBlob(let count): object.pointee.setScratch(column, count: count)
    case .blob(let data):
      data.withUnsafeBufferPointer { object.pointee.setCopy(column, .blob, $0) }
    case .misfit(let reason, let hint):
      note(conversion, value, reason, hint, object)
    }
  }

  @inline(never)
  private mutating func putOther(
    _ number: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int, isInBatch: Bool
  ) throws {
    let sink = sinks[number]
    switch sink.kind {
    case .cell:
      let object = objects.base + (openCount - 1 - sink.level)
      try addLength(count, to: object)
      collect(.string(text(bytes, count)), key: nil, number, object, isArray: false)
    case .key:
      let object = objects.base + (openCount - 1 - sink.level)
      try note(
        key: UnsafeBufferPointer(start: bytes, count: count), sink, object, isInBatch: isInBatch)
    case .slot:
      guard
        let element = (0..<elements.count).last(where: { elements.base[$0].role == sink.role })
      else { return }
      slots.append(
        (element, sink.slot, Array(UnsafeBufferPointer(start: bytes, count: count))))
    case .envelope: envelope[sink.slot] = text(bytes, count)
    }
  }
}
