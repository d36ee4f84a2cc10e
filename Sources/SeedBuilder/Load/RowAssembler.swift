internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Puts records together from tokens and hands them to a ``RowInserter``.
///
/// The hot loop of a build. All it touches for a token lies in plain memory of its own.
struct RowAssembler {
  var facts: DocumentFacts
  var tables = PinnedList<LoadTable>()
  private(set) var contradictions: [LoadContradiction] = []
  private(set) var rowCount: Int64 = 0
  let inserter: RowInserter
  private(set) var elements = PinnedList<OpenElement>(capacity: 64)

  private var plan = LoadPlan()
  private var roles = PinnedList<Role>()
  private var columnOfField = PinnedList<Int32>()
  /// Open records; those above `openRowCount` keep their memory for the next ones.
  private var rows = PinnedList<OpenRow>()
  private var openRowCount = 0
  /// Wrappers below a root without a row that were met already.
  private var seenWrappers: Set<Int> = []
  /// Where the text of an empty element points to.
  private let noBytes: UnsafeMutablePointer<UInt8>
  private let longestRow = InputLimits.rowBytes

  // The input that is being read.
  private var documentName = ""
  private(set) var placeBase = 0
  private(set) var fieldBase = 0

  struct OpenElement {
    var place: Int
    var line: UInt32
    var role: Role
    var hasText = false
    var hasChild = false
  }

  init(facts: DocumentFacts, inserter: RowInserter) {
    self.facts = facts
    self.inserter = inserter
    noBytes = .allocate(capacity: 1)
    noBytes.initialize(to: 0)
  }

  func deallocate() {
    for index in 0..<rows.count { rows.base[index].deallocate() }
    for index in 0..<tables.count { tables.base[index].deallocate() }
    rows.deallocate()
    tables.deallocate()
    elements.deallocate()
    roles.deallocate()
    columnOfField.deallocate()
    noBytes.deallocate()
  }

  mutating func startDocument(named name: String, placeBase: Int, fieldBase: Int) {
    documentName = name
    self.placeBase = placeBase
    self.fieldBase = fieldBase
  }

  mutating func note(_ contradiction: LoadContradiction) {
    // Thousands of values may contradict; once is enough to know that the load is void.
    if !contradictions.contains(contradiction) { contradictions.append(contradiction) }
  }

  /// Takes over a plan that the rows loaded so far fit.
  mutating func adopt(_ newer: LoadPlan) {
    plan = newer
    roles.removeAll()
    for role in newer.roles { roles.append(role) }
    columnOfField.removeAll()
    for column in newer.columnOfField { columnOfField.append(Int32(column)) }
    for index in 0..<openRowCount {
      let table = tables.base + rows.base[index].table
      rows.base[index].reserve(
        columnCount: table.pointee.columnCount, markCount: table.pointee.markCount)
    }
    for index in 0..<elements.count {
      elements.base[index].role = role(of: elements.base[index].place)
    }
  }

  /// Takes over a plan that has more at its end and nothing else new, while nothing is open.
  mutating func adopt(appended newer: LoadPlan) {
    plan = newer
    for role in newer.roles[roles.count...] { roles.append(role) }
    for column in newer.columnOfField[columnOfField.count...] {
      columnOfField.append(Int32(column))
    }
  }

  /// Takes over what inputs of known shape add at the end of the plan.
  mutating func adopt(_ continuation: PlanShapes.Continuation) {
    for role in continuation.roles { roles.append(role) }
    for column in continuation.columnOfField { columnOfField.append(Int32(column)) }
  }

  @inline(__always)
  private func role(of place: Int) -> Role {
    precondition(place < roles.count)
    return roles.base[place]
  }

  // MARK: Tokens

  /// Loads one batch, whose values must stay until its rows are in.
  ///
  /// - Returns: Whether a row may have a key that is taken: only the database knows.
  mutating func load(_ batch: TokenBatch) throws -> Bool {
    let words = batch.words
    let wordCount = batch.wordCount
    var bytes = UnsafePointer(batch.bytes)
    var index = 0
    while index < wordCount {
      let word = words[index]
      let number = Int(word & 0x3FFF_FFFF)
      switch word >> 30 {
      case 0:
        startElement(place: number + placeBase, line: words[index + 1])
        index += 2
      case 1:
        let count = Int(words[index + 1])
        try addField(number + fieldBase, bytes, count: count)
        bytes += count
        index += 2
      case 2:
        let count = Int(words[index + 1])
        try addText(bytes, count: count, isBlank: number != 0)
        bytes += count
        index += 2
      default:
        try endElement()
        index += 1
      }
    }
    var mayConflict = false
    for index in 0..<tables.count {
      try flush(index)
      if tables.base[index].mayConflict {
        mayConflict = true
        tables.base[index].mayConflict = false
      }
    }
    for index in 0..<openRowCount {
      rows.base[index].detach(
        columnCount: tables.base[rows.base[index].table].columnCount,
        from: UnsafePointer(batch.bytes), count: batch.byteCount)
    }
    return mayConflict
  }

  @inline(__always)
  private mutating func startElement(place: Int, line: UInt32) {
    let role = role(of: place)
    var hasSibling = false
    if elements.count > 0 {
      let parent = elements.base + (elements.count - 1)
      hasSibling = parent.pointee.hasChild
      parent.pointee.hasChild = true
      if parent.pointee.hasText { noteMixedContent(of: parent) }
    }
    elements.append(OpenElement(place: place, line: line, role: role))
    switch role.kind {
    case .record: openRow(table: Int(role.index), place: place, line: line)
    case .wrapper: noteWrapper(place: place, mark: Int(role.index), hasSibling: hasSibling)
    case .scalar, .container: break
    }
  }

  private mutating func noteMixedContent(of element: UnsafeMutablePointer<OpenElement>) {
    facts.noteMixedContent(of: element.pointee.place, line: Int(element.pointee.line))
  }

  private mutating func noteWrapper(place: Int, mark: Int, hasSibling: Bool) {
    let isSecond: Bool
    if mark >= 0, openRowCount > 0 {
      let row = rows.base + (openRowCount - 1)
      isSecond = row.pointee.marks[mark]
      row.pointee.marks[mark] = true
    } else if elements.count > 1, elements.base[elements.count - 2].role.kind == .wrapper {
      // All children of a wrapper are of one kind.
      isSecond = hasSibling
    } else {
      isSecond = !seenWrappers.insert(place).inserted
    }
    if isSecond {
      facts.noteRepetition(of: place)
      note(.structure)
    }
  }

  @inline(__always)
  private mutating func openRow(table index: Int, place: Int, line: UInt32) {
    let table = tables.base + index
    table.pointee.lastOrdinal += 1
    if openRowCount == rows.count { rows.append(OpenRow()) }
    rows.base[openRowCount].open(
      table: index, place: place, line: line, ordinal: table.pointee.lastOrdinal,
      columnCount: table.pointee.columnCount, markCount: table.pointee.markCount)
    openRowCount += 1
  }

  @inline(__always)
  private mutating func addField(
    _ field: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) throws {
    let column = field < columnOfField.count ? Int(columnOfField.base[field]) : -1
    guard column >= 0, elements.base[elements.count - 1].role.kind == .record else {
      facts.observe(field, bytes, count)
      return
    }
    try setCell(column, bytes, count: count, field: field)
  }

  @inline(__always)
  private mutating func setCell(
    _ column: Int, _ bytes: UnsafePointer<UInt8>, count: Int, field: Int
  ) throws {
    let row = rows.base + (openRowCount - 1)
    row.pointee.cells[column] = Cell(bytes: bytes, count: count)
    if tables.base[row.pointee.table].columns[column].isShared, field >= 0 {
      facts.observe(field, bytes, count)
    }
    try addLength(count, to: row)
  }

  @inline(__always)
  private func addLength(_ count: Int, to row: UnsafeMutablePointer<OpenRow>) throws {
    row.pointee.byteCount += count
    if row.pointee.byteCount > longestRow {
      throw InputError(
        .tooLong(what: "a record", limit: longestRow),
        at: SourceLocation(file: documentName, line: Int(row.pointee.line)))
    }
  }

  @inline(__always)
  private mutating func addText(
    _ bytes: UnsafePointer<UInt8>, count: Int, isBlank: Bool
  ) throws {
    let element = elements.base + (elements.count - 1)
    let place = element.pointee.place
    switch element.pointee.role.kind {
    case .scalar:
      element.pointee.hasText = true
      if !isBlank { noteText(of: place) }
      try setScalar(element, bytes, count: count)
    case .record:
      // Blanks in a record are formatting.
      guard !isBlank else { return }
      noteText(of: place)
      try addRecordText(element, bytes, count: count)
    case .container, .wrapper:
      guard !isBlank else { return }
      facts.noteText(of: place)
      note(.structure)
    }
  }

  private mutating func addRecordText(
    _ element: UnsafeMutablePointer<OpenElement>, _ bytes: UnsafePointer<UInt8>, count: Int
  ) throws {
    element.pointee.hasText = true
    if element.pointee.hasChild { noteMixedContent(of: element) }
    let row = rows.base + (openRowCount - 1)
    let column = tables.base[row.pointee.table].textColumn
    guard column >= 0 else {
      note(.structure)
      return
    }
    if row.pointee.cells[column].bytes == nil {
      row.pointee.cells[column] = Cell(bytes: bytes, count: count)
    } else {
      row.pointee.appendText(bytes, count: count, to: column)
    }
    try addLength(count, to: row)
  }

  @inline(__always)
  private mutating func noteText(of place: Int) {
    if !facts.places[place].hasText { facts.noteText(of: place) }
  }

  @inline(__always)
  private mutating func setScalar(
    _ element: UnsafeMutablePointer<OpenElement>, _ bytes: UnsafePointer<UInt8>, count: Int
  ) throws {
    guard openRowCount > 0 else { return }
    let column = Int(element.pointee.role.index)
    let place = element.pointee.place
    let row = rows.base + (openRowCount - 1)
    if row.pointee.cells[column].bytes != nil {
      // A second one below the same parent: no column after all, but a table.
      facts.noteRepetition(of: place)
      note(.structure)
    }
    row.pointee.cells[column] = Cell(bytes: bytes, count: count)
    if tables.base[row.pointee.table].columns[column].isShared,
      let field = facts.places[place].text
    {
      facts.observe(field, bytes, count)
    }
    try addLength(count, to: row)
  }

  @inline(__always)
  private mutating func endElement() throws {
    let element = elements.base + (elements.count - 1)
    switch element.pointee.role.kind {
    case .record:
      try insertRow()
      let row = rows.base + (openRowCount - 1)
      if row.pointee.ownsBytes {
        // Its memory must not go before it.
        try flush(row.pointee.table)
        try inserter.keep(row.pointee.takeOwned(), byteCount: row.pointee.byteCount)
      }
      openRowCount -= 1
    case .scalar:
      if !element.pointee.hasText { try setScalar(element, UnsafePointer(noBytes), count: 0) }
    case .container, .wrapper: break
    }
    elements.removeLast()
  }

  // MARK: Rows

  @inline(__always)
  private mutating func insertRow() throws {
    let row = rows.base + (openRowCount - 1)
    let table = tables.base + row.pointee.table
    if table.pointee.textColumn >= 0 { observeSharedText(of: row) }
    let parent = parentKey(of: table)
    table.pointee.rows.open(inserter)
    if table.pointee.keyComesLate { table.pointee.lateKeys.open(inserter) }
    switch RowWriter.add(row, to: table, parentTable: parent.table, parentKey: parent.key) {
    case .added: rowCount += 1
    case .contradicted: note(.value)
    case .refused: if !table.pointee.isRejected { rejectKey(of: row.pointee.table) }
    }
    if table.pointee.rows.isFull { try flush(row.pointee.table) }
  }

  /// Text is observed here and not when it comes: only now all its runs are together.
  private mutating func observeSharedText(of row: UnsafeMutablePointer<OpenRow>) {
    let table = tables.base + row.pointee.table
    let column = table.pointee.textColumn
    guard table.pointee.columns[column].isShared, let bytes = row.pointee.cells[column].bytes,
      let field = facts.places[row.pointee.place].text
    else { return }
    facts.observe(field, bytes, row.pointee.cells[column].count)
  }

  /// The key that the record closed now refers to, that of the record around it; table -1 when it
  /// refers to none.
  @inline(__always)
  private mutating func parentKey(
    of table: UnsafeMutablePointer<LoadTable>
  ) -> (table: Int, key: Int64) {
    guard openRowCount > 1, table.pointee.hasParents else { return (-1, 0) }
    let row = rows.base + (openRowCount - 2)
    let parent = row.pointee.table
    let parentTable = tables.base + parent
    if parentTable.pointee.hasGeneratedKey || parentTable.pointee.keyComesLate {
      return (parent, row.pointee.ordinal)
    }
    if let key = row.pointee.key { return (parent, key) }
    guard table.pointee.refers(to: parent) else { return (-1, 0) }
    let cell = row.pointee.cells[parentTable.pointee.keyColumn]
    if let bytes = cell.bytes, let key = IntegerText.parse(bytes, cell.count) {
      row.pointee.key = key
      return (parent, key)
    }
    note(.lateKey(plan.tables[parent].name))
    return (-1, 0)
  }

  /// Hands over the rows of a table that are put together, before the memory of their values is.
  private mutating func flush(_ table: Int) throws {
    try tables.base[table].rows.flush(to: inserter, table: table)
    try tables.base[table].lateKeys.flush(to: inserter, table: table)
  }

  /// Refuses the rows of a table from now on: one has no key, or one that another has.
  mutating func rejectKey(of table: Int) {
    guard !tables.base[table].isRejected else { return }
    tables.base[table].isRejected = true
    let column = plan.tables[table].columns[plan.tables[table].keyColumn]
    note(.key(.init(table: plan.tables[table].name, column: column.source)))
  }
}
