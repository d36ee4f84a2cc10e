import SeedSQLite

/// What a comparison has to know about a table.
struct TableShape {
  var name: String
  var isVirtual: Bool
  /// The columns in order, without the hidden ones of virtual tables.
  var columns: [TableReport.Column]
  /// The columns that identify a row; empty when nothing does.
  var key: [KeyColumn]
  /// Whether a column of the key may be NULL, which identifies no row.
  var mayHaveNullKeys: Bool

  /// The columns whose values are stored; those of generated ones follow from them.
  var storedColumns: [String] { columns.filter { !$0.isGenerated }.map(\.name) }

  /// Reads a table's shape.
  ///
  /// - Throws: ``SQLiteError`` when the schema cannot be read.
  init(
    name: String, isVirtual: Bool, isWithoutRowID: Bool, connection: Connection
  ) throws(SQLiteError) {
    self.name = name
    self.isVirtual = isVirtual
    columns = try Self.columns(of: name, isVirtual: isVirtual, connection)
    mayHaveNullKeys = false
    if isVirtual {
      key = [KeyColumn(name: "rowid", isVirtualRowID: true)]
      return
    }
    key = try Self.indexedKey(of: name, connection)
    // Only a table with rowids forgives a NULL in its primary key.
    mayHaveNullKeys = !isWithoutRowID && !key.isEmpty
    if key.isEmpty, let column = columns.first(where: { $0.primaryKeyPosition != nil }) {
      // A primary key without an index of its own is the rowid under another name.
      key = [KeyColumn(name: column.name)]
    }
  }

  /// The columns of a virtual table can be asked for only where its module is known.
  private static func columns(
    of name: String, isVirtual: Bool, _ connection: Connection
  ) throws(SQLiteError) -> [TableReport.Column] {
    do throws(SQLiteError) {
      return try TableReader(connection: connection, sizes: PageSizes()).columns(of: name)
    } catch {
      guard isVirtual, !error.isCorrupt, !error.isInputOutput else { throw error }
      return []
    }
  }

  /// The primary key's columns as its index has them.
  private static func indexedKey(
    of name: String, _ connection: Connection
  ) throws(SQLiteError) -> [KeyColumn] {
    let statement = try connection.prepare(
      """
      SELECT x.name, x.coll, x.desc FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x
      WHERE l.origin = 'pk' AND x.key ORDER BY x.seqno
      """)
    try statement.bindText(1, name)
    var key: [KeyColumn] = []
    while try statement.step() {
      key.append(
        KeyColumn(
          name: statement.text(0), collation: TextCollation(named: statement.text(1)) ?? .binary,
          isDescending: statement.integer(2) != 0))
    }
    return key
  }

  /// Whether a row of the table has a NULL in its key.
  ///
  /// - Throws: ``SQLiteError`` when the table cannot be read.
  func hasNullKeys(_ connection: Connection) throws(SQLiteError) -> Bool {
    guard mayHaveNullKeys else { return false }
    let conditions = key.map { "\(SQLiteName.quoted($0.name)) IS NULL" }
    let condition = conditions.joined(separator: " OR ")
    let query = "SELECT 1 FROM \(SQLiteName.quoted(name)) WHERE \(condition) LIMIT 1"
    return try connection.scalarInteger(query) != nil
  }
}
