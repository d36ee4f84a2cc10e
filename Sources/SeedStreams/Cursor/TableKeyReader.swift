internal import SeedSQLite

/// Reads from the schema which columns of a table are stored and which identify a row.
struct TableKeyReader {
  var name: String
  var isStrict: Bool
  var connection: Connection

  private struct Column {
    var name: String
    var affinity: String
    var isRequired: Bool
    /// Its place in the primary key from 1; 0 for others.
    var keyPlace: Int64
  }

  private struct Index {
    var name: String
    var columns: [(name: String, collation: String)]
    var isPrimaryKey: Bool
    /// Whether its entries depend on its columns alone, and it has one for every row.
    var isPlain: Bool
  }

  /// The table with the key and the columns that are declared, or else those that it has.
  func table(key: [String]?, columns: [String]?) throws(PublishedTableError) -> PublishedTable {
    let (stored, indexes) = try PublishedTableError.inDatabase { () throws(SQLiteError) in
      (try self.storedColumns(), try self.indexes())
    }
    let (keyColumns, used) = try self.key(declared: key, stored: stored, indexes: indexes)
    var names = keyColumns.map { PublishedTables.folded($0.name) }
    var carried = keyColumns.map { pair in
      StreamColumn(
        name: pair.name,
        affinity: stored.first { $0.name == pair.name }?.affinity ?? "BLOB")
    }
    if let columns {
      for column in columns {
        let isStored = stored.contains {
          PublishedTables.folded($0.name) == PublishedTables.folded(column)
        }
        guard isStored else { throw .missingColumn(table: name, column: column) }
      }
    }
    let wanted = columns.map { $0.map { PublishedTables.folded($0) } }
    for column in stored {
      let folded = PublishedTables.folded(column.name)
      guard !names.contains(folded), wanted?.contains(folded) ?? true else { continue }
      names.append(folded)
      carried.append(StreamColumn(name: column.name, affinity: column.affinity))
    }
    let required = stored.filter(\.isRequired).map(\.name)
    return PublishedTable(
      table: StreamTable(name: name, key: keyColumns.map(\.name), columns: carried),
      keyCollations: keyColumns.map(\.collation),
      uniqueIndexes: indexes.filter { $0.name != used }.map { index in
        // The value of a generated column may change with that of any other one.
        let isOverStored = index.columns.allSatisfy { pair in
          stored.contains { $0.name == pair.name }
        }
        return PublishedTable.UniqueIndex(
          name: index.name,
          columns: index.isPlain && isOverStored ? index.columns.map(\.name) : nil)
      },
      required: Set(carried.dropFirst(keyColumns.count).map(\.name)).intersection(required))
  }

  /// The key's columns with their collations, and the name of the index that they are from; the
  /// rowid has none.
  private func key(
    declared: [String]?, stored: [Column], indexes: [Index]
  ) throws(PublishedTableError) -> (columns: [(name: String, collation: String)], index: String?) {
    let primary = stored.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    if let declared {
      let names = declared.map { PublishedTables.folded($0) }
      if primary.count == 1, !indexes.contains(where: \.isPrimaryKey),
        names == [PublishedTables.folded(primary[0].name)]
      {
        return ([(primary[0].name, "BINARY")], nil)
      }
      let match = indexes.first { index in
        index.isPlain && Set(index.columns.map { PublishedTables.folded($0.name) }) == Set(names)
      }
      guard let match else { throw .keyWithoutIndex(table: name, key: declared) }
      let columns = names.compactMap { name in
        match.columns.first { PublishedTables.folded($0.name) == name }
      }
      return (columns, match.name)
    }
    if let index = indexes.first(where: \.isPrimaryKey) {
      // In the order of the declaration, which is that of the index.
      return (index.columns, index.name)
    }
    if !primary.isEmpty {
      // A primary key without an index of its own is the rowid under another name.
      return (primary.map { ($0.name, "BINARY") }, nil)
    }
    let required = Set(stored.filter(\.isRequired).map(\.name))
    let match = indexes.first { index in
      index.isPlain && index.columns.allSatisfy { required.contains($0.name) }
    }
    guard let match else { throw .noKey(table: name) }
    return (match.columns, match.name)
  }

  private func storedColumns() throws(SQLiteError) -> [Column] {
    let statement = try connection.prepare(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid")
    try statement.bindText(1, name)
    var columns: [Column] = []
    while try statement.step() {
      columns.append(
        Column(
          name: statement.text(0),
          affinity: ColumnAffinity.name(ofType: statement.text(1), isStrict: isStrict),
          isRequired: statement.integer(2) != 0, keyPlace: statement.integer(3)))
    }
    return columns
  }

  /// The UNIQUE indexes in the order in which they were made.
  private func indexes() throws(SQLiteError) -> [Index] {
    let list = try connection.prepare(
      """
      SELECT name, origin, partial FROM pragma_index_list(?) WHERE "unique" ORDER BY seq DESC
      """)
    try list.bindText(1, name)
    var indexes: [Index] = []
    while try list.step() {
      let columns = try connection.prepare(
        "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno")
      try columns.bindText(1, list.text(0))
      var index = Index(
        name: list.text(0), columns: [], isPrimaryKey: list.text(1) == "pk",
        isPlain: list.integer(2) == 0)
      while try columns.step() {
        if columns.columnType(0) == .null {
          index.isPlain = false
        } else {
          index.columns.append((columns.text(0), columns.text(1)))
        }
      }
      indexes.append(index)
    }
    return indexes
  }
}
