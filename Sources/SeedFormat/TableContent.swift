import SeedFiles
package import SeedSQLite

/// The rows of one table in the order in which they are stored.
package struct TableContent {
  private var name: String
  private var isWithoutRowID: Bool
  private var connection: Connection

  /// The rows of a table of a database.
  package init(name: String, isWithoutRowID: Bool, connection: Connection) {
    self.name = name
    self.isWithoutRowID = isWithoutRowID
    self.connection = connection
  }

  /// The number of the rows and the digest over them.
  ///
  /// A row is the byte `R`, the rowid if the table has one, and for each value that is not NULL
  /// the column's position in two bytes, the type (`i`, `d`, `t`, `b`) and the value.
  ///
  /// - Throws: ``SQLiteError`` when the table cannot be read.
  package func digest() throws(SQLiteError) -> (count: Int64, sha256: [UInt8]) {
    var digest = SHA256Digest()
    var bytes = DigestBytes()
    var count: Int64 = 0
    let rowID = isWithoutRowID ? RowID.none : try rowID()
    let firstColumn: Int32 = if case .name = rowID { 1 } else { 0 }
    let statement = try connection.prepare(try selection(rowID))
    let columnCount = statement.columnCount
    while try statement.step() {
      count += 1
      bytes.append(UInt8(ascii: "R"))
      switch rowID {
      case .name: bytes.append(integer: statement.integer(0))
      case .column(let position, _): bytes.append(integer: statement.integer(position))
      case .none: break
      }
      for column in firstColumn..<columnCount {
        guard statement.columnType(column) != .null else { continue }
        bytes.append(integer: UInt16(column - firstColumn))
        bytes.append(valueAt: column, of: statement)
      }
      if bytes.isFull { bytes.flush(into: &digest) }
    }
    bytes.flush(into: &digest)
    return (count, digest.finalize())
  }

  /// How a query gets at the rowid.
  private enum RowID {
    /// A column is another name of it, the INTEGER PRIMARY KEY.
    ///
    /// It is not asked for a second time: a table may have as many columns as a query.
    case column(position: Int32, name: String)
    case name(String)
    /// There is none, or columns of other content have taken all three names of it. It then does
    /// not count; the rows still come in its order.
    case none
  }

  /// The query for all rows in stored order.
  ///
  /// `NOT INDEXED` keeps SQLite from reading a covering index in that index's order.
  private func selection(_ rowID: RowID) throws(SQLiteError) -> String {
    let table = "\(SQLiteName.quoted(name)) NOT INDEXED"
    switch rowID {
    case .name(let name): return "SELECT \(name), * FROM \(table) ORDER BY \(name)"
    case .column(_, let name):
      return "SELECT * FROM \(table) ORDER BY \(SQLiteName.quoted(name))"
    case .none:
      let key = isWithoutRowID ? try primaryKeyOrder() : ""
      return "SELECT * FROM \(table)" + (key.isEmpty ? "" : " ORDER BY \(key)")
    }
  }

  private func rowID() throws(SQLiteError) -> RowID {
    if let column = try rowIDColumn() { return column }
    let statement = try connection.prepare("SELECT lower(name) FROM pragma_table_xinfo(?)")
    try statement.bindText(1, name)
    var columns: Set<String> = []
    while try statement.step() { columns.insert(statement.text(0)) }
    return ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }.map { .name($0) } ?? .none
  }

  /// The column that is the rowid: a primary key of type INTEGER that needs no index of its own.
  private func rowIDColumn() throws(SQLiteError) -> RowID? {
    let statement = try connection.prepare(
      """
      SELECT cid, name FROM pragma_table_xinfo(?1)
      WHERE pk AND type = 'INTEGER' COLLATE NOCASE
        AND (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE pk) = 1
        AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')
      """)
    try statement.bindText(1, name)
    guard try statement.step() else { return nil }
    return .column(
      position: Int32(truncatingIfNeeded: statement.integer(0)), name: statement.text(1))
  }

  /// The primary key's columns as the table's own order has them.
  private func primaryKeyOrder() throws(SQLiteError) -> String {
    let statement = try connection.prepare(
      """
      SELECT x.name, x.coll, x.desc FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x
      WHERE l.origin = 'pk' AND x.key ORDER BY x.seqno
      """)
    try statement.bindText(1, name)
    var terms: [String] = []
    while try statement.step() {
      let column = SQLiteName.quoted(statement.text(0))
      let collation = SQLiteName.quoted(statement.text(1))
      terms.append("\(column) COLLATE \(collation)\(statement.integer(2) != 0 ? " DESC" : "")")
    }
    return terms.joined(separator: ", ")
  }
}
