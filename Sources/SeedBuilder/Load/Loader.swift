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
  private(set) var plan = LoadPlan()
  private(set) var hasPlan = false
  /// How often everything was planned anew, which takes as long as there are inputs.
  private(set) var planCount = 0
  private let connection: Connection
  private let rejectedKeys: Set<LoadPlanner.RejectedKey>
  private let lateKeys: Set<QualifiedName>
  private let hasher = RowHasher()
  /// Has the connection while rows are under way to it.
  private let inserter: RowInserter
  /// The loading itself; behind a pointer so that its loops run without checks for exclusivity.
  private let state: UnsafeMutablePointer<RowAssembler>
  private var documentName = ""
  private var definedPlaces = 0
  private var definedFields = 0
  /// The names of the places that are planned.
  private var plannedNames: Set<QualifiedName> = []
  private var namedPlaces = 0
  /// The shapes that need no new plan.
  private var shapes = PlanShapes()
  /// Follows the rest of the reading when the plan has turned out to be wrong in structure.
  private var watcher: FactObserver?

  init(
    connection: Connection, facts: DocumentFacts, rejectedKeys: Set<LoadPlanner.RejectedKey>,
    lateKeys: Set<QualifiedName>, inserter: RowInserter = RowInserter()
  ) {
    self.connection = connection
    self.rejectedKeys = rejectedKeys
    self.lateKeys = lateKeys
    state = .allocate(capacity: 1)
    state.initialize(to: RowAssembler(facts: facts, inserter: inserter))
    self.inserter = inserter
  }

  deinit {
    // Rows may still be under way after a failure, and point to what is freed here.
    inserter.stop()
    state.pointee.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// What is known of the inputs; outlives the loader.
  var facts: DocumentFacts { state.pointee.facts }
  var contradictions: [LoadContradiction] { state.pointee.contradictions }
  var isDoomed: Bool { !state.pointee.contradictions.isEmpty }
  /// Rows put together so far; they are in the database after ``drain()``.
  var rowCount: Int64 { state.pointee.rowCount }
  var tableCount: Int { state.pointee.tables.count }

  /// A table to read or change in place.
  func table(_ index: Int) -> UnsafeMutablePointer<LoadTable> {
    precondition(index < tableCount)
    return state.pointee.tables.base + index
  }

  // MARK: Documents and plans

  /// Starts the next input; its places and fields are numbered from here on.
  func startDocument(named name: String) {
    documentName = name
    state.pointee.startDocument(named: name, placeBase: definedPlaces, fieldBase: definedFields)
  }

  /// Makes the tables from the facts at hand.
  func startLoading() throws {
    guard !hasPlan else { return }
    hasPlan = true
    // What was observed so far comes again, to be loaded.
    state.pointee.facts.restartCounts()
    try adopt(makePlan())
  }

  private func makePlan() throws -> LoadPlan {
    planCount += 1
    var planner = LoadPlanner(facts: facts, rejectedKeys: rejectedKeys, lateKeys: lateKeys)
    let plan = planner.makePlan()
    try check(plan)
    return plan
  }

  private func check(_ plan: LoadPlan, tablesBefore: Int = 0) throws {
    if tablesBefore + plan.tables.count > InputLimits.tables {
      throw InputError(
        .tooMany(what: "different kinds of records", limit: InputLimits.tables),
        at: SourceLocation(file: documentName))
    }
    for table in plan.tables where table.columns.count > InputLimits.columnsPerTable {
      throw InputError(
        .tooManyColumns(element: table.name.local), at: SourceLocation(file: documentName))
    }
  }

  /// The plan of the input at hand, if nothing of it is planned and its names, but for that of a root
  /// without anything of its own, are no other input's:
  /// it then changes nothing in what is planned, and thousands of inputs take no longer for that.
  private func makeApartPlan() throws -> LoadPlan? {
    let (placeBase, fieldBase) = (state.pointee.placeBase, state.pointee.fieldBase)
    guard placeBase > 0, plan.roles.count == placeBase, plan.columnOfField.count == fieldBase,
      state.pointee.elements.count == 0, placeBase < facts.places.count,
      state.pointee.facts.places[(placeBase + 1)...].allSatisfy({ !plannedNames.contains($0.name) })
    else { return nil }
    // The roots of XML documents are often called alike, and hold nothing but records.
    let root = facts.places[placeBase]
    let isKnownRoot = plannedNames.contains(root.name)
    guard !isKnownRoot || shapes.hasContainer(root) else { return nil }
    var planner = LoadPlanner(
      facts: state.pointee.facts.part(fromPlace: placeBase, field: fieldBase),
      rejectedKeys: rejectedKeys, lateKeys: lateKeys)
    let part = planner.makePlan()
    guard !isKnownRoot || part.roles[0].kind == .container else { return nil }
    try check(part, tablesBefore: plan.tables.count)
    return part
  }

  /// Takes over the plan of an input that is apart from those before.
  private func append(_ part: LoadPlan) throws {
    let known = plan.tables.count
    plan.append(part, fieldBase: state.pointee.fieldBase)
    for index in known..<plan.tables.count {
      try create(index, plan.tables, markCount: plan.markCounts[index])
    }
    state.pointee.adopt(appended: plan)
    notePlanned()
  }

  /// Plans an input that has nothing but what is planned already; false when it has something else,
  /// or a value that would change a column's type.
  private func continuePlan() -> Bool {
    let (placeBase, fieldBase) = (state.pointee.placeBase, state.pointee.fieldBase)
    guard placeBase > 0,
      let part = shapes.continuation(
        of: plan, facts, placeBase: placeBase, fieldBase: fieldBase),
      part.uses.allSatisfy(keepsType)
    else { return false }
    for use in part.uses where use.field >= plan.columnOfField.count { share(use) }
    plan.roles += part.roles
    plan.columnOfField += part.columnOfField
    state.pointee.adopt(part)
    notePlanned()
    return true
  }

  /// Whether a column keeps its type with what was observed of one more field.
  private func keepsType(_ use: PlanShapes.Use) -> Bool {
    let column = plan.tables[use.table].columns[use.column]
    var values = (table(use.table).pointee.columns + use.column).pointee.converter.statistics
    values.merge(facts.statistics(of: use.field, as: column.source))
    return values.columnType == column.type
  }

  /// Adds a field to the column that it goes to.
  private func share(_ use: PlanShapes.Use) {
    let column = table(use.table).pointee.columns + use.column
    let known = plan.tables[use.table].columns[use.column].fields.count
    if known == 1, let only = plan.tables[use.table].columns[use.column].fields.first {
      // From here on each field keeps its own.
      state.pointee.facts.setStatistics(column.pointee.converter.statistics, of: only)
    }
    plan.tables[use.table].columns[use.column].fields.append(use.field)
    column.pointee.isShared = known > 0
  }

  private func notePlanned() {
    shapes.update(plan, facts)
    for place in state.pointee.facts.places[namedPlaces...] { plannedNames.insert(place.name) }
    namedPlaces = state.pointee.facts.places.count
  }

  private func adopt(_ newer: LoadPlan) throws {
    for index in newer.tables.indices {
      let marks = newer.markCounts[index]
      if index < tableCount {
        try extend(index, to: newer.tables[index], markCount: marks)
      } else {
        try create(index, newer.tables, markCount: marks)
      }
    }
    plan = newer
    shapes = PlanShapes()
    state.pointee.adopt(newer)
    notePlanned()
  }

  private func extend(_ index: Int, to plan: TablePlan, markCount: Int) throws {
    let table = table(index)
    let known = table.pointee.columnCount
    if plan.columns.count > known { try drain() }
    for column in known..<plan.columns.count {
      try connection.execute(StagingSchema.addColumn(column, to: plan, index))
    }
    table.pointee.extend(to: plan, markCount: markCount, facts: facts)
    if plan.columns.count > known { try table.pointee.prepareInsert(index, on: connection) }
  }

  private func create(_ index: Int, _ plans: [TablePlan], markCount: Int) throws {
    let plan = plans[index]
    try drain()
    try connection.execute(StagingSchema.create(plan, index))
    var table = LoadTable(
      plan, index: index, markCount: markCount, facts: facts, hasher: hasher)
    for column in table.parentColumns
    where risesWhileLoading(plans[table.columns[column].parentTable]) {
      // Made row by row it takes no time of its own: the reading thread is the slower one. An index
      // whose values do not rise would be slow to keep, and would end up half empty.
      try connection.execute(StagingSchema.createIndex(index, column))
      table.indexedColumns.insert(column)
    }
    try table.prepareInsert(index, on: connection)
    if plan.keyComesLate {
      try connection.execute(StagingSchema.createLateKeys(index))
      try table.prepareLateKeys(index, on: connection)
    }
    state.pointee.tables.append(table)
  }

  /// Whether the keys of a table's records rise from each to the next, as far as is known.
  private func risesWhileLoading(_ parent: TablePlan) -> Bool {
    if parent.keyComesLate || parent.isRecursive { return false }
    if parent.hasGeneratedKey { return true }
    return parent.columns[parent.keyColumn].fields.allSatisfy { facts.fields[$0].isRising }
  }

  /// Whether the rows that were loaded are what the facts now known ask for.
  func planHolds() throws -> Bool {
    guard !isDoomed else { return false }
    for index in 0..<tableCount
    where table(index).pointee.rowCount != table(index).pointee.lastOrdinal {
      throw InternalFault("a record of table \(plan.tables[index].name.local) was not stored")
    }
    return plan.canBecome(try makePlan())
  }

  /// Whether the places loaded so far still are what the plan has them, so that what was noticed of
  /// their tables' keys is true of the tables to come.
  var structureHolds: Bool {
    zip(plan.roles, PlaceKinds(facts).kinds).allSatisfy { $0.kind == $1 }
  }

  /// Waits until the digests of the rows are there.
  func finishHashing() { hasher.finish() }

  /// Waits until all rows are in the database, which nobody else may use before.
  ///
  /// - Throws: ``SQLiteError`` of the first row that failed.
  func drain() throws {
    try inserter.drain()
    for table in inserter.takeRefusedTables() { state.pointee.rejectKey(of: table) }
  }

  /// Closes the database.
  func close() throws {
    inserter.stop()
    for index in 0..<tableCount { table(index).pointee.closeStatements() }
    try connection.close()
  }

  // MARK: Batches

  /// Takes the definitions of a batch; true when there were new ones.
  func define(_ batch: TokenBatch) throws -> Bool {
    var hasNew = false
    for definition in batch.definitions {
      let isKnown: Bool
      switch definition {
      case .place:
        isKnown = definedPlaces < state.pointee.facts.places.count
        if isKnown { try check(definition, place: definedPlaces) }
        definedPlaces += 1
      case .attribute, .text:
        isKnown = definedFields < state.pointee.facts.fields.count
        if isKnown { try check(definition, field: definedFields) }
        definedFields += 1
      case .recursion(let place, let parent):
        isKnown = state.pointee.facts.places[place + state.pointee.placeBase].recursions
          .contains { $0.parent == parent + state.pointee.placeBase }
      case .array(let place):
        isKnown = state.pointee.facts.places[place + state.pointee.placeBase].repeats
      case .real(let field): isKnown = declared(field).contains(.real)
      case .data(let field): isKnown = declared(field).contains(.data)
      case .mixedData(let field): isKnown = declared(field).contains(.mixedData)
      case .bare(let field, _, _):
        isKnown = state.pointee.facts.fields[field + state.pointee.fieldBase].bareValue != nil
      }
      guard !isKnown else { continue }
      hasNew = true
      state.pointee.facts.add(
        definition, placeBase: state.pointee.placeBase, fieldBase: state.pointee.fieldBase)
    }
    return hasNew
  }

  private func declared(_ field: Int) -> DocumentFacts.DeclaredValues {
    state.pointee.facts.fields[field + state.pointee.fieldBase].declared
  }

  /// A second reading must meet the places of the first.
  private func check(_ definition: TokenDefinition, place: Int) throws {
    let known = state.pointee.facts.places[place]
    if case .place(let name, let parent) = definition, known.name == name,
      known.parent == parent.map({ $0 + state.pointee.placeBase })
    {
      return
    }
    throw InputError(.changedWhileRead, at: SourceLocation(file: documentName))
  }

  private func check(_ definition: TokenDefinition, field: Int) throws {
    let known = state.pointee.facts.fields[field]
    let placeBase = state.pointee.placeBase
    switch definition {
    case .attribute(let name, let place)
    where known.name == name && known.place == place + placeBase:
      return
    case .text(let place) where known.name == nil && known.place == place + placeBase: return
    default: throw InputError(.changedWhileRead, at: SourceLocation(file: documentName))
    }
  }

  /// Learns from a batch without loading it.
  func observe(_ batch: TokenBatch, with observer: inout FactObserver) {
    observer.observe(
      batch, into: &state.pointee.facts, placeBase: state.pointee.placeBase,
      fieldBase: state.pointee.fieldBase)
  }

  /// Loads a batch whose definitions were taken.
  ///
  /// - Parameters:
  ///   - batch: The batch; it belongs to the loader from now on.
  ///   - hasNewDefinitions: Whether some of its definitions were new.
  ///   - channel: Where the batch goes when its rows are in.
  /// - Throws: What went wrong first: ``SQLiteError`` for this batch or for one before, or
  ///   ``InputError``.
  func load(
    _ batch: TokenBatch, hasNewDefinitions: Bool, returningTo channel: HandoffChannel<TokenBatch>
  ) throws {
    let mayConflict: Bool
    do {
      mayConflict = try load(batch, hasNewDefinitions: hasNewDefinitions)
    } catch {
      defer { channel.recycleEmptied(batch) }
      // Rows that came before may have failed before.
      try drain()
      throw error
    }
    try inserter.keep(batch, of: channel)
    // The same document must go through the same readings, so that a key that is taken must not be
    // noticed sooner or later than at the end of its batch.
    if mayConflict { try drain() }
  }

  /// Loads a batch; true when a row may have a key that is taken.
  ///
  /// Once the plan turned out to have another structure than the input, nothing more is loaded: the
  /// rest of the reading serves to learn all the facts.
  private func load(_ batch: TokenBatch, hasNewDefinitions: Bool) throws -> Bool {
    if watcher != nil {
      watch(batch)
      return false
    }
    var observer = FactObserver(continuing: state.pointee.elements)
    if hasNewDefinitions, hasPlan, try !extendPlan(by: batch, &observer) {
      state.pointee.note(.structure)
      watcher = observer
      return false
    }
    try startLoading()
    let mayConflict = try state.pointee.load(batch)
    guard contradictions.contains(.structure) else { return mayConflict }
    synchronizeStatistics()
    if !hasNewDefinitions { observe(batch, with: &observer) }
    watcher = observer
    return mayConflict
  }

  /// Plans what a batch has new; false when the rows so far do not fit the new plan.
  private func extendPlan(by batch: TokenBatch, _ observer: inout FactObserver) throws -> Bool {
    let isFirst = plan.roles.count == state.pointee.placeBase
    if isFirst {
      observe(batch, with: &observer)
      if let part = try makeApartPlan() {
        try append(part)
        return true
      }
    }
    if !isFirst {
      synchronizeStatistics()
      observe(batch, with: &observer)
    }
    if continuePlan() { return true }
    if isFirst { synchronizeStatistics() }
    let newer = try makePlan()
    guard plan.canBecome(newer) else { return false }
    try adopt(newer)
    return true
  }

  private func watch(_ batch: TokenBatch) {
    guard var observer = watcher.take() else { return }
    observe(batch, with: &observer)
    watcher = observer
  }

  /// Writes what the columns have learnt back to their fields.
  func synchronizeStatistics() {
    // What is observed without being loaded goes to the facts at once, past the columns.
    guard watcher == nil else { return }
    for (index, plan) in plan.tables.enumerated() {
      let table = table(index)
      for column in 0..<table.pointee.columnCount where plan.columns[column].fields.count == 1 {
        state.pointee.facts.setStatistics(
          table.pointee.columns[column].converter.statistics, of: plan.columns[column].fields[0])
      }
    }
  }
}
