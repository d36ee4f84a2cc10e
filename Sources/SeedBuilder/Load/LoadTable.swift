internal import SeedModel
internal import SeedSQLite

/// One column while rows are loaded.
struct LoadColumn {
  enum Kind: UInt8 { case generatedKey, parent, value, line, place }

  var kind: Kind
  var converter: ColumnConverter
  /// How many rows have a value that is not NULL.
  var filledCount: Int64 = 0
  /// Whether fields of several places feed it, each of which keeps its own statistics.
  var isShared: Bool
  /// The table that a parent column refers to.
  var parentTable: Int
}

/// One table while rows are loaded, under its provisional name: see ``StagingSchema``.
struct LoadTable {
  var columns: UnsafeMutablePointer<LoadColumn>
  private(set) var columnCount: Int
  private(set) var columnCapacity: Int
  var keyColumn: Int
  var hasGeneratedKey: Bool
  private let isRecursive: Bool
  /// Whether SQLite makes the keys: then the rows that wait lack the first column.
  private(set) var numbersItself = false
  var keyComesLate: Bool
  /// The columns that refer to parents; most often none or one.
  var parentColumns: [Int]
  /// Those of them whose index is kept while rows are loaded.
  var indexedColumns: Set<Int> = []
  var markCount: Int
  var textColumn: Int
  /// Whether any column refers to parents.
  private(set) var hasParents = false

  func refers(to parent: Int) -> Bool {
    parentColumns.contains { columns[$0].parentTable == parent }
  }

  /// The rows that are put together.
  var rows = RowBuffer()
  /// The ordinals and keys of those whose keys are known only after child records.
  var lateKeys = RowBuffer()
  var rowCount: Int64 = 0
  /// The ordinal of the record started last.
  var lastOrdinal: Int64 = 0
  /// The highest key so far.
  var lastRowID = Int64.min
  /// Whether a row of the batch at hand has a key that an earlier one may have: its key comes from
  /// the document and is not above all others.
  var mayConflict = false
  var digest: RowDigest
  /// Off when the rows do not come in the order of their keys, or change afterwards.
  var isDigested = true
  /// Whether rows are refused from now on: the table's plan is known to be wrong.
  var isRejected = false

  /// How many tables, those met first, are expected to get most rows of a document.
  private static let mainTableCount = 64

  init(
    _ plan: TablePlan, index: Int, markCount: Int, facts: DocumentFacts, hasher: RowHasher
  ) {
    // Small for the others: there may be thousands of them.
    digest = RowDigest(hasher: index < LoadTable.mainTableCount ? hasher : nil)
    columnCapacity = max(8, plan.columns.count)
    columns = .allocate(capacity: columnCapacity)
    columnCount = 0
    keyColumn = plan.keyColumn
    hasGeneratedKey = plan.hasGeneratedKey
    isRecursive = plan.isRecursive
    keyComesLate = plan.keyComesLate
    parentColumns = []
    self.markCount = markCount
    textColumn = -1
    isDigested = !facts.isRaw
    extend(to: plan, markCount: markCount, facts: facts)
  }

  func deallocate() {
    columns.deinitialize(count: columnCount)
    columns.deallocate()
    digest.deallocate()
    rows.deallocate()
    lateKeys.deallocate()
  }

  /// Prepares inserts for the columns that there are now.
  ///
  /// - Precondition: No rows wait.
  mutating func prepareInsert(_ index: Int, on connection: Connection) throws {
    // A statement for many rows pays off for the few tables that get most of them.
    let rowCapacity = index < LoadTable.mainTableCount ? max(1, min(32, 256 / columnCount)) : 1
    // SQLite numbers the rows as we do when they come in order, and faster than it is told.
    numbersItself = hasGeneratedKey && !isRecursive && columnCount > 1
    rows.insert = try BulkInsert(
      into: StagingSchema.tableName(index),
      columns: ((numbersItself ? 1 : 0)..<columnCount).map(StagingSchema.columnName),
      rowCapacity: rowCapacity, connection: connection)
  }

  /// Prepares the keeping of keys that come late.
  mutating func prepareLateKeys(_ index: Int, on connection: Connection) throws {
    lateKeys.insert = try BulkInsert(
      into: StagingSchema.lateKeyTable(index), columns: StagingSchema.lateKeyColumns,
      rowCapacity: 32, connection: connection)
  }

  /// Lets go of the statements.
  mutating func closeStatements() {
    rows.insert = nil
    lateKeys.insert = nil
  }

  /// Adds the columns that a newer plan has more.
  mutating func extend(to plan: TablePlan, markCount: Int, facts: DocumentFacts) {
    self.markCount = markCount
    for index in 0..<columnCount { columns[index].isShared = plan.columns[index].fields.count > 1 }
    if plan.columns.count > columnCapacity { grow(to: plan.columns.count * 2) }
    for index in columnCount..<plan.columns.count {
      let column = plan.columns[index]
      (columns + index).initialize(to: LoadTable.column(column, facts: facts))
      if case .parent = column.source {
        parentColumns.append(index)
        hasParents = true
      }
      if column.source == .text { textColumn = index }
    }
    columnCount = plan.columns.count
  }

  private static func column(_ plan: TablePlan.Column, facts: DocumentFacts) -> LoadColumn {
    let statistics = facts.statistics(of: plan)
    let kind: LoadColumn.Kind
    var parentTable = -1
    switch plan.source {
    case .generatedKey: kind = .generatedKey
    case .parent(let table):
      kind = .parent
      parentTable = table
    case .line: kind = .line
    case .place: kind = .place
    case .attribute, .child, .text: kind = .value
    }
    return LoadColumn(
      kind: kind,
      converter: ColumnConverter(
        type: plan.type, statistics: statistics ?? ValueStatistics(rules: facts.rules)),
      isShared: plan.fields.count > 1, parentTable: parentTable)
  }

  private mutating func grow(to capacity: Int) {
    let larger = UnsafeMutablePointer<LoadColumn>.allocate(capacity: capacity)
    larger.moveInitialize(from: columns, count: columnCount)
    columns.deallocate()
    columns = larger
    columnCapacity = capacity
  }
}
