internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Loads token batches into the staging tables of one database, under a plan made from the facts
/// known so far.
///
/// The first batches are held back and observed, so that the plan starts with a view of some
/// thousand records. New columns and tables are added on the way. When something contradicts the
/// plan, the loader notes it; the caller then reads the input again with what was learnt.
final class Loader {
  /// What is known of the inputs; outlives the loader.
  var facts: DocumentFacts
  private(set) var plan = LoadPlan()
  private(set) var contradictions: [LoadContradiction] = []
  /// Rows inserted so far.
  private(set) var rowCount: Int64 = 0

  private let connection: Connection
  private let rejectedKeys: Set<LoadPlanner.RejectedKey>
  private let lateKeys: Set<QualifiedName>
  var tables: [LoadTable] = []

  private(set) var hasPlan = false
  private var rows: [OpenRow] = []
  var openRowCount = 0
  var elements: [OpenElement] = []
  /// Wrappers below a root without a row that were met already.
  private var seenWrappers: Set<Int> = []
  let scratch: UnsafeMutablePointer<UInt8>

  // The input that is being read.
  private(set) var documentName = ""
  private var placeBase = 0
  private var fieldBase = 0
  private var definedPlaces = 0
  private var definedFields = 0

  private let longestRow = Int64(InputLimits.rowBytes)

  struct OpenElement {
    var place: Int
    var role: Role
    var line: UInt32
    var hasText = false
    var hasChild = false
  }

  init(
    connection: Connection, facts: DocumentFacts, rejectedKeys: Set<LoadPlanner.RejectedKey>,
    lateKeys: Set<QualifiedName>
  ) {
    self.connection = connection
    self.facts = facts
    self.rejectedKeys = rejectedKeys
    self.lateKeys = lateKeys
    scratch = .allocate(
      capacity: (InputLimits.attributesPerElement + 1) * ColumnConverter.scratchSize)
    elements.reserveCapacity(InputLimits.depth)
  }

  deinit {
    for row in rows { row.deallocate() }
    for table in tables { table.deallocate() }
    scratch.deallocate()
  }

  var isDoomed: Bool { !contradictions.isEmpty }

  // MARK: Documents and plans

  /// Starts the next input; its places and fields are numbered from here on.
  func startDocument(named name: String) {
    documentName = name
    placeBase = definedPlaces
    fieldBase = definedFields
  }

  /// Makes the tables from the facts at hand.
  func startLoading() throws {
    guard !hasPlan else { return }
    hasPlan = true
    try adopt(makePlan())
  }

  func makePlan() throws -> LoadPlan {
    var planner = LoadPlanner(facts: facts, rejectedKeys: rejectedKeys, lateKeys: lateKeys)
    let plan = planner.makePlan()
    if plan.tables.count > InputLimits.tables {
      throw InputError(
        .tooMany(what: "different kinds of records", limit: InputLimits.tables),
        at: SourceLocation(file: documentName))
    }
    for table in plan.tables where table.columns.count > InputLimits.attributesPerElement {
      throw InputError(
        .tooMany(
          what: "columns in table \"\(table.name.local)\"", limit: InputLimits.attributesPerElement),
        at: SourceLocation(file: documentName))
    }
    return plan
  }

  private func adopt(_ newer: LoadPlan) throws {
    for index in newer.tables.indices {
      let table = newer.tables[index]
      if index < tables.count {
        let known = tables[index].columnCount
        guard table.columns.count > known || newer.markCounts[index] != tables[index].markCount
        else { continue }
        for column in known..<table.columns.count {
          try connection.execute(StagingSchema.addColumn(column, to: table, index))
        }
        tables[index].extend(to: table, markCount: newer.markCounts[index], facts: facts)
      } else {
        try connection.execute(StagingSchema.create(table, index))
        tables.append(LoadTable(table, markCount: newer.markCounts[index], facts: facts))
        if table.keyComesLate {
          try connection.execute(StagingSchema.createLateKeys(index))
          tables[index].insertLateKey = try connection.prepare(StagingSchema.insertLateKey(index))
          tables[index].digest = nil
        }
      }
      tables[index].insert = try connection.prepare(StagingSchema.insert(table, index))
    }
    plan = newer
    for index in 0..<openRowCount {
      let table = tables[rows[index].table]
      rows[index].reserve(columnCount: table.columnCount, markCount: table.markCount)
    }
    for index in elements.indices {
      // An element that is open keeps its role: the plan can only have grown around it.
      elements[index].role = role(of: elements[index].place)
    }
  }

  func role(of place: Int) -> Role {
    place < plan.roles.count ? plan.roles[place] : .unplanned
  }

  // MARK: Batches

  /// Takes the definitions of a batch; true when there were new ones.
  func define(_ batch: TokenBatch) throws -> Bool {
    var hasNew = false
    for definition in batch.definitions {
      let isPlace = if case .place = definition { true } else { false }
      let isRecursion = if case .recursion = definition { true } else { false }
      let isKnown: Bool
      if isRecursion {
        isKnown = isKnownRecursion(definition)
      } else if isPlace {
        isKnown = definedPlaces < facts.places.count
        if isKnown, !matches(definition, place: definedPlaces) { throw changedInput() }
        definedPlaces += 1
      } else {
        isKnown = definedFields < facts.fields.count
        if isKnown, !matches(definition, field: definedFields) { throw changedInput() }
        definedFields += 1
      }
      guard !isKnown else { continue }
      hasNew = true
      facts.add(definition, placeBase: placeBase, fieldBase: fieldBase)
    }
    return hasNew
  }

  private func isKnownRecursion(_ definition: TokenDefinition) -> Bool {
    guard case .recursion(let place, let parent) = definition else { return false }
    return facts.places[place + placeBase].recursions.contains { $0.parent == parent + placeBase }
  }

  private func matches(_ definition: TokenDefinition, place: Int) -> Bool {
    guard case .place(let name, let parent) = definition else { return false }
    return facts.places[place].name == name
      && facts.places[place].parent == parent.map { $0 + placeBase }
  }

  private func matches(_ definition: TokenDefinition, field: Int) -> Bool {
    switch definition {
    case .attribute(let name, let place):
      facts.fields[field].name == name && facts.fields[field].place == place + placeBase
    case .text(let place):
      facts.fields[field].name == nil && facts.fields[field].place == place + placeBase
    default: false
    }
  }

  /// The second reading met another document than the first.
  private func changedInput() -> InputError {
    InputError(.changedWhileRead, at: SourceLocation(file: documentName))
  }

  /// Learns from a batch without loading it.
  func observe(_ batch: TokenBatch, with observer: inout FactObserver) {
    observer.observe(batch, into: &facts, placeBase: placeBase, fieldBase: fieldBase)
  }

  /// Loads a batch whose definitions were taken.
  func load(_ batch: TokenBatch, hasNewDefinitions: Bool) throws {
    if hasNewDefinitions, hasPlan {
      synchronizeStatistics()
      var observer = FactObserver(continuing: elements)
      observe(batch, with: &observer)
      let newer = try makePlan()
      if !isDoomed {
        if plan.canBecome(newer) {
          try adopt(newer)
        } else {
          note(.structure)
        }
      }
    }
    try startLoading()
    try walk(batch)
    detachOpenRows(from: batch)
  }

  private func detachOpenRows(from batch: TokenBatch) {
    for index in 0..<openRowCount {
      rows[index].detach(
        columnCount: tables[rows[index].table].columnCount, from: UnsafePointer(batch.bytes),
        count: batch.byteCount)
    }
  }

  /// Writes what the columns have learnt back to their fields.
  func synchronizeStatistics() {
    for (index, table) in plan.tables.enumerated() where index < tables.count {
      for column in 0..<tables[index].columnCount {
        let fields = table.columns[column].fields
        guard fields.count == 1 else { continue }
        facts.setStatistics(
          tables[index].columns[column].converter.statistics, of: fields[0])
      }
    }
  }

  func note(_ contradiction: LoadContradiction) {
    // Thousands of values may contradict; a few are enough to know that the load is void.
    if contradictions.count < 1_000, !contradictions.contains(contradiction) {
      contradictions.append(contradiction)
    }
  }

  /// Whether the rows that were loaded are what the facts now known ask for.
  func planHolds() throws -> Bool {
    guard !isDoomed else { return false }
    return plan.canBecome(try makePlan())
  }

  /// Closes the database, whose rows are of no use.
  func close() throws {
    for index in tables.indices {
      tables[index].insert = nil
      tables[index].insertLateKey = nil
    }
    try connection.close()
  }

  // MARK: Tokens

  private func walk(_ batch: TokenBatch) throws {
    let words = batch.words
    let wordCount = batch.wordCount
    var bytes = UnsafePointer(batch.bytes)
    var index = 0
    while index < wordCount {
      let word = words[index]
      switch word >> 30 {
      case 0:
        startElement(place: Int(word) + placeBase, line: words[index + 1])
        index += 2
      case 1:
        let count = Int(words[index + 1])
        try addField(Int(word & 0x3FFF_FFFF) + fieldBase, bytes, count: count)
        bytes += count
        index += 2
      case 2:
        let count = Int(words[index + 1])
        try addText(bytes, count: count, isBlank: word & 1 != 0)
        bytes += count
        index += 2
      default:
        try endElement()
        index += 1
      }
    }
  }

  @inline(__always)
  private func startElement(place: Int, line: UInt32) {
    let role = role(of: place)
    if !elements.isEmpty {
      elements[elements.count - 1].hasChild = true
      if elements[elements.count - 1].hasText { noteMixedContent() }
    }
    elements.append(OpenElement(place: place, role: role, line: line))
    switch role {
    case .record(let table): openRow(table: table, place: place, line: line)
    case .wrapper(let mark): noteWrapper(place: place, mark: mark)
    case .scalar, .container, .unplanned: break
    }
  }

  private func noteMixedContent() {
    guard let element = elements.last else { return }
    facts.noteMixedContent(of: element.place, line: Int(element.line))
  }

  private func noteWrapper(place: Int, mark: Int?) {
    let isSecond: Bool
    if let mark, openRowCount > 0 {
      isSecond = rows[openRowCount - 1].marks[mark]
      rows[openRowCount - 1].mark(mark)
    } else {
      isSecond = !seenWrappers.insert(place).inserted
    }
    if isSecond, !facts.places[place].repeats {
      facts.noteRepetition(of: place)
      note(.structure)
    }
  }

  @inline(__always)
  private func openRow(table: Int, place: Int, line: UInt32) {
    tables[table].lastOrdinal += 1
    if openRowCount == rows.count { rows.append(OpenRow()) }
    rows[openRowCount].open(
      table: table, place: place, line: line, ordinal: tables[table].lastOrdinal,
      columnCount: tables[table].columnCount, markCount: tables[table].markCount)
    openRowCount += 1
  }

  @inline(__always)
  private func addField(_ field: Int, _ bytes: UnsafePointer<UInt8>, count: Int) throws {
    guard field < plan.columnOfField.count, let element = elements.last,
      case .record = element.role
    else {
      facts.observe(field, bytes, count)
      return
    }
    let column = plan.columnOfField[field]
    guard column >= 0 else {
      facts.observe(field, bytes, count)
      return
    }
    rows[openRowCount - 1].cells[column] = Cell(bytes: bytes, count: count)
    if tables[rows[openRowCount - 1].table].columns[column].isShared {
      facts.observe(field, bytes, count)
    }
    try addLength(count)
  }

  private func addText(_ bytes: UnsafePointer<UInt8>, count: Int, isBlank: Bool) throws {
    guard let element = elements.last else { return }
    switch element.role {
    case .scalar(let column):
      elements[elements.count - 1].hasText = true
      try setScalar(bytes, count: count, column: column, place: element.place)
      noteText(of: element.place, isBlank: isBlank)
    case .record(let table):
      guard !isBlank else {
        noteText(of: element.place, isBlank: true)
        return
      }
      elements[elements.count - 1].hasText = true
      if element.hasChild { noteMixedContent() }
      if !facts.places[element.place].hasText {
        facts.noteText(of: element.place)
        note(.structure)
      }
      let column = tables[table].textColumn
      guard column >= 0 else { return }
      if rows[openRowCount - 1].cells[column].bytes == nil {
        rows[openRowCount - 1].cells[column] = Cell(bytes: bytes, count: count)
      } else {
        rows[openRowCount - 1].appendText(bytes, count: count, to: column)
      }
      try addLength(count)
    case .container, .wrapper:
      guard !isBlank else { return }
      facts.noteText(of: element.place)
      note(.structure)
    case .unplanned:
      noteText(of: element.place, isBlank: isBlank)
      if !isBlank, let field = facts.places[element.place].text { facts.observe(field, bytes, count) }
    }
  }

  @inline(__always)
  private func noteText(of place: Int, isBlank: Bool) {
    if isBlank {
      facts.noteBlankText(of: place)
    } else if !facts.places[place].hasText {
      facts.noteText(of: place)
    }
  }

  @inline(__always)
  private func setScalar(
    _ bytes: UnsafePointer<UInt8>, count: Int, column: Int, place: Int
  ) throws {
    guard openRowCount > 0 else { return }
    if rows[openRowCount - 1].cells[column].bytes != nil {
      // A second one below the same parent: no column after all, but a table.
      facts.noteRepetition(of: place)
      note(.structure)
    }
    rows[openRowCount - 1].cells[column] = Cell(bytes: bytes, count: count)
    if tables[rows[openRowCount - 1].table].columns[column].isShared,
      let field = facts.places[place].text
    {
      facts.observe(field, bytes, count)
    }
    try addLength(count)
  }

  @inline(__always)
  private func addLength(_ count: Int) throws {
    rows[openRowCount - 1].byteCount += count
    guard rows[openRowCount - 1].byteCount > Int(longestRow) else { return }
    throw InputError(
      .tooLong(what: "a record", limit: Int(longestRow)),
      at: SourceLocation(file: documentName, line: Int(rows[openRowCount - 1].line)))
  }

  @inline(__always)
  private func endElement() throws {
    guard let element = elements.popLast() else { return }
    switch element.role {
    case .record(let table):
      try insertRow(table: table)
      rows[openRowCount - 1].close()
      openRowCount -= 1
    case .scalar(let column):
      if !element.hasText {
        try setScalar(UnsafePointer(scratch), count: 0, column: column, place: element.place)
      }
    case .container, .wrapper, .unplanned: break
    }
  }

  // MARK: Rows

  private func insertRow(table: Int) throws {
    let row = rows[openRowCount - 1]
    observeSharedText(of: row, in: table)
    guard !tables[table].isRejected,
      try RowWriter.insert(
        row, into: &tables[table], parent: parentKey(of: table), scratch: scratch,
        onContradiction: { self.note(.value) })
    else {
      rejectKey(of: table)
      return
    }
    rowCount += 1
  }

  /// Text is observed here and not when it comes: only now all its runs are together.
  private func observeSharedText(of row: OpenRow, in table: Int) {
    let column = tables[table].textColumn
    guard column >= 0, tables[table].columns[column].isShared, let bytes = row.cells[column].bytes,
      let field = facts.places[row.place].text
    else { return }
    facts.observe(field, bytes, row.cells[column].count)
  }

  /// The key that the record closed now refers to: that of the record around it.
  private func parentKey(of child: Int) -> (table: Int, key: Int64)? {
    let index = openRowCount - 2
    guard index >= 0, !tables[child].parentColumns.isEmpty else { return nil }
    let table = rows[index].table
    let refersToIt = tables[child].parentColumns.contains {
      tables[child].columns[$0].parentTable == table
    }
    guard refersToIt else { return nil }
    if tables[table].hasGeneratedKey || tables[table].keyComesLate {
      return (table, rows[index].ordinal)
    }
    if let key = rows[index].key { return (table, key) }
    let cell = rows[index].cells[tables[table].keyColumn]
    if let bytes = cell.bytes, let key = IntegerText.parse(bytes, cell.count) {
      rows[index].key = key
      return (table, key)
    }
    note(.lateKey(plan.tables[table].name))
    return (table, 0)
  }

  private func rejectKey(of table: Int) {
    let columns = plan.tables[table].columns
    guard !tables[table].hasGeneratedKey,
      let name = columns[tables[table].keyColumn].source.documentName
    else { return }
    tables[table].isRejected = true
    note(.key(.init(table: plan.tables[table].name, column: name)))
  }
}
