import SeedFiles
import SeedSQLite

/// The rows of one table in the order in which they are stored.
struct TableContent {
  var name: String
  var isWithoutRowID: Bool
  var connection: Connection

  /// The number of the rows and the digest over them.
  ///
  /// A row is the byte `R`, the rowid if the table has one, and for each value that is not NULL
  /// the column's position in two bytes, the type (`i`, `d`, `t`, `b`) and the value.
  ///
  /// - Throws: ``SQLiteError`` when the table cannot be read.
  func digest() throws(SQLiteError) -> (count: Int64, sha256: [UInt8]) {
    var digest = SHA256Digest()
    var bytes = DigestBytes()
    var count: Int64 = 0
    let rowID = isWithoutRowID ? nil : try rowIDName()
    let firstColumn: Int32 = rowID == nil ? 0 : 1
    let statement = try connection.prepare(try selection(rowID: rowID))
    let columnCount = statement.columnCount
    while try statement.step() {
      count += 1
      bytes.append(UInt8(ascii: "R"))
      if rowID != nil { bytes.append(integer: statement.integer(0)) }
      for column in firstColumn..<columnCount {
        Self.append(column, at: UInt16(column - firstColumn), of: statement, to: &bytes)
      }
      if bytes.isFull { bytes.flush(into: &digest) }
    }
    bytes.flush(into: &digest)
    return (count, digest.finalize())
  }

  private static func append(
    _ column: Int32, at position: UInt16, of statement: Statement, to bytes: inout DigestBytes
  ) {
    let type = statement.columnType(column)
    guard type != .null else { return }
    bytes.append(integer: position)
    switch type {
    case .null: break
    case .integer:
      bytes.append(UInt8(ascii: "i"))
      bytes.append(integer: statement.integer(column))
    case .real:
      bytes.append(UInt8(ascii: "d"))
      bytes.append(integer: statement.real(column).bitPattern)
    case .text:
      bytes.append(UInt8(ascii: "t"))
      bytes.append(textAt: column, of: statement)
    case .blob:
      bytes.append(UInt8(ascii: "b"))
      bytes.append(blobAt: column, of: statement)
    }
  }

  /// The query for all rows in stored order.
  ///
  /// `NOT INDEXED` keeps SQLite from reading a covering index in that index's order.
  private func selection(rowID: String?) throws(SQLiteError) -> String {
    let table = "\(SQLiteName.quoted(name)) NOT INDEXED"
    if let rowID { return "SELECT \(rowID), * FROM \(table) ORDER BY \(rowID)" }
    let key = isWithoutRowID ? try primaryKeyOrder() : ""
    return "SELECT * FROM \(table)" + (key.isEmpty ? "" : " ORDER BY \(key)")
  }

  /// A name by which SQL reaches the rowid.
  ///
  /// Columns may take all three names of the rowid. It is then out of reach and does not count;
  /// the rows still come in its order.
  private func rowIDName() throws(SQLiteError) -> String? {
    let statement = try connection.prepare("SELECT lower(name) FROM pragma_table_xinfo(?)")
    try statement.bindText(1, name)
    var columns: Set<String> = []
    while try statement.step() { columns.insert(statement.text(0)) }
    return ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
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
