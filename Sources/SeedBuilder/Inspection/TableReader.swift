import SeedFormat
import SeedSQLite

/// Reads what a database says about its tables.
struct TableReader {
  private let connection: Connection
  private let sizes: PageSizes
  /// What could not be told, and why.
  private(set) var notes: [String] = []

  init(connection: Connection, sizes: PageSizes) {
    self.connection = connection
    self.sizes = sizes
  }

  /// The tables by name, those of SQLite and of this tool last.
  ///
  /// - Throws: ``SQLiteError`` when the schema cannot be read.
  mutating func tables() throws(SQLiteError) -> [TableReport] {
    let statement = try connection.prepare(
      """
      SELECT name, type, wr, strict FROM pragma_table_list
      WHERE schema = 'main' AND type <> 'view' AND name <> 'sqlite_schema'
      ORDER BY name = '_seed' OR name LIKE '\\_seed\\_%' ESCAPE '\\'
        OR name LIKE 'sqlite\\_%' ESCAPE '\\', name
      """)
    var tables: [TableReport] = []
    while try statement.step() {
      let name = statement.text(0)
      let kind =
        Self.isInternal(name) ? .internal : TableReport.Kind(rawValue: statement.text(1)) ?? .table
      tables.append(
        TableReport(
          name: name, kind: kind, isWithoutRowID: statement.integer(2) != 0,
          isStrict: statement.integer(3) != 0, columns: try knownColumns(of: name, kind),
          rowCount: rowCount(of: name), byteCount: sizes.byteCount(of: name),
          indexes: try indexes(of: name), foreignKeys: try foreignKeys(of: name)))
    }
    return tables
  }

  private static func isInternal(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == SeedStamp.tableName || name.hasPrefix("\(SeedStamp.tableName)_")
      || name.hasPrefix("sqlite_")
  }

  /// The columns of a table or view in order, without the hidden ones of virtual tables.
  ///
  /// - Throws: ``SQLiteError`` when the schema cannot be read.
  func columns(of table: String) throws(SQLiteError) -> [TableReport.Column] {
    let statement = try connection.prepare(
      "SELECT name, type, \"notnull\", pk, dflt_value, hidden FROM pragma_table_xinfo(?)")
    try statement.bindText(1, table)
    var columns: [TableReport.Column] = []
    while try statement.step() {
      // 1 marks the hidden columns of virtual tables, which `SELECT *` does not show.
      let hidden = statement.integer(5)
      guard hidden != 1 else { continue }
      let position = Int(statement.integer(3))
      columns.append(
        TableReport.Column(
          name: statement.text(0), declaredType: statement.text(1),
          isNotNull: statement.integer(2) != 0,
          primaryKeyPosition: position > 0 ? position : nil,
          defaultValue: statement.columnType(4) == .null ? nil : statement.text(4),
          isGenerated: hidden > 1))
    }
    return columns
  }

  /// The columns of a table; none, and a note, where a virtual table's module is one that is loaded
  /// by its app, such as a vector index.
  private mutating func knownColumns(
    of table: String, _ kind: TableReport.Kind
  ) throws(SQLiteError) -> [TableReport.Column] {
    do throws(SQLiteError) {
      return try columns(of: table)
    } catch {
      guard kind == .virtual, !error.isCorrupt, !error.isInputOutput else { throw error }
      notes.append("the columns of \"\(table)\" cannot be told: \(error.message)")
      return []
    }
  }

  /// The number of rows; a damaged table or an unknown module gives a note instead.
  private mutating func rowCount(of table: String) -> Int64? {
    do throws(SQLiteError) {
      return try connection.scalarInteger("SELECT count(*) FROM \(SQLiteName.quoted(table))")
    } catch {
      notes.append("the rows of \"\(table)\" cannot be counted: \(error.message)")
      return nil
    }
  }

  private func indexes(of table: String) throws(SQLiteError) -> [TableReport.Index] {
    // The primary key of a table without rowids is the table itself, which has the size.
    let statement = try connection.prepare(
      """
      SELECT name, "unique", partial FROM pragma_index_list(?1)
      WHERE origin <> 'pk' OR NOT (SELECT wr FROM pragma_table_list(?1) WHERE schema = 'main')
      ORDER BY name
      """)
    try statement.bindText(1, table)
    var indexes: [TableReport.Index] = []
    while try statement.step() {
      let name = statement.text(0)
      indexes.append(
        TableReport.Index(
          name: name, columns: try columns(ofIndex: name), isUnique: statement.integer(1) != 0,
          isPartial: statement.integer(2) != 0, byteCount: sizes.byteCount(of: name)))
    }
    return indexes
  }

  private func columns(ofIndex index: String) throws(SQLiteError) -> [String?] {
    let statement = try connection.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
    try statement.bindText(1, index)
    var columns: [String?] = []
    while try statement.step() {
      columns.append(statement.columnType(0) == .null ? nil : statement.text(0))
    }
    return columns
  }

  private func foreignKeys(of table: String) throws(SQLiteError) -> [TableReport.ForeignKey] {
    // SQLite numbers the keys from the last declared to the first.
    let statement = try connection.prepare(
      """
      SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?)
      ORDER BY id DESC, seq
      """)
    try statement.bindText(1, table)
    var keys: [TableReport.ForeignKey] = []
    var lastID: Int64?
    while try statement.step() {
      if lastID != statement.integer(0) {
        lastID = statement.integer(0)
        keys.append(
          TableReport.ForeignKey(
            columns: [], parentTable: statement.text(1), parentColumns: [],
            onDelete: statement.text(4), onUpdate: statement.text(5)))
      }
      keys[keys.count - 1].columns.append(statement.text(2))
      // Without a column the key refers to the parent's primary key.
      if statement.columnType(3) != .null {
        keys[keys.count - 1].parentColumns.append(statement.text(3))
      }
    }
    for index in keys.indices where keys[index].parentColumns.isEmpty {
      keys[index].parentColumns = try primaryKey(of: keys[index].parentTable)
    }
    return keys
  }

  private func primaryKey(of table: String) throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(
      "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    try statement.bindText(1, table)
    var columns: [String] = []
    while try statement.step() { columns.append(statement.text(0)) }
    return columns
  }
}
