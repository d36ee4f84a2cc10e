internal import SeedSQLite

/// Inserts rows, each in place of one that has its id.
internal final class RowReplacement {
  private let columnCount: Int
  private let ids: [Int]
  private let connection: Connection
  /// Takes away what has the id; nil where the insert itself finds it by the key.
  private let removal: Statement?
  private let insert: Statement

  /// Prepares the statements for a table.
  internal init(
    _ table: HyperHiveTable, name: String, _ connection: Connection
  ) throws(SQLiteError) {
    let quoted = SQLiteName.quoted(name)
    let columns = table.columns.map { SQLiteName.quoted($0.name) }
    columnCount = columns.count
    let ids = HyperHiveRules.idColumns(of: table)
    self.ids = ids
    self.connection = connection
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let base = "INSERT INTO \(quoted) (\(columns.joined(separator: ", "))) VALUES (\(places))"
    if table.columns.contains(where: \.isKey) {
      let key = ids.map { columns[$0] }.joined(separator: ", ")
      let rest = columns.indices.filter { !ids.contains($0) }
        .map { "\(columns[$0]) = excluded.\(columns[$0])" }
      // Not INSERT OR REPLACE: columns that the app has added keep what they have.
      insert = try connection.prepare(
        base + " ON CONFLICT (\(key)) DO "
          + (rest.isEmpty ? "NOTHING" : "UPDATE SET \(rest.joined(separator: ", "))"))
      removal = nil
    } else {
      try RowDeletion.makeIndex(table, name: name, connection)
      removal = try connection.prepare(RowDeletion.statement(table, name: name))
      insert = try connection.prepare(base)
    }
  }

  /// Writes rows in their order.
  internal func run(_ values: UnsafePointer<BoundValue>, rowCount: Int) throws(SQLiteError) {
    for row in 0..<rowCount {
      let first = values + row * columnCount
      if let removal {
        for (index, id) in ids.enumerated() { try removal.bind(Int32(index + 1), first[id]) }
        try removal.run()
      }
      for column in 0..<columnCount { try insert.bind(Int32(column + 1), first[column]) }
      try insert.run()
    }
  }
}

/// Deletes rows by their ids.
internal final class RowDeletion {
  /// The columns of an id.
  internal let columns: [HyperHiveColumn]
  private let table: String
  private let deletion: Statement
  private let connection: Connection

  /// Prepares the statement for a table.
  internal init(
    _ table: HyperHiveTable, name: String, _ connection: Connection
  ) throws(SQLiteError) {
    columns = HyperHiveRules.idColumns(of: table).map { table.columns[$0] }
    self.table = table.name
    self.connection = connection
    try Self.makeIndex(table, name: name, connection)
    deletion = try connection.prepare(Self.statement(table, name: name))
  }

  /// Deletes the rows of some ids.
  ///
  /// - Throws: ``HyperHiveError`` for an id that no row has: then the rows here are not those that
  ///   the server's changes are about.
  internal func run(_ values: UnsafePointer<BoundValue>, rowCount: Int) throws {
    for row in 0..<rowCount {
      let first = values + row * columns.count
      for column in columns.indices {
        try deletion.bind(Int32(column + 1), first[column])
      }
      try deletion.run()
      guard connection.changes > 0 else { throw unknown(first) }
    }
  }

  private func unknown(_ id: UnsafePointer<BoundValue>) -> UnknownRow {
    let text = columns.indices.map { column in
      let value = id[column]
      switch value.kind {
      case .null: return "null"
      case .integer: return String(Int64(bitPattern: value.bits))
      case .real: return Double(bitPattern: value.bits).description
      case .text, .blob:
        return String(
          decoding: UnsafeBufferPointer(start: value.bytes, count: Int(value.count)),
          as: UTF8.self)
      }
    }
    return UnknownRow(table: table, id: text.joined(separator: ", "))
  }

  /// The rows of a database are not those that a delta starts from.
  internal struct UnknownRow: Error {
    internal var table: String
    internal var id: String
  }

  internal static func statement(_ table: HyperHiveTable, name: String) -> String {
    let conditions = HyperHiveRules.idColumns(of: table)
      .map { "\(SQLiteName.quoted(table.columns[$0].name)) = ?" }
    return "DELETE FROM \(SQLiteName.quoted(name)) WHERE " + conditions.joined(separator: " AND ")
  }

  /// Gives a table without a key an index over the ids, without which each change would read it all.
  internal static func makeIndex(
    _ table: HyperHiveTable, name: String, _ connection: Connection
  ) throws(SQLiteError) {
    guard !table.columns.contains(where: \.isKey), let column = table.columns.first else { return }
    try connection.execute(
      "CREATE INDEX IF NOT EXISTS \(SQLiteName.quoted("_seed_hyperhive_" + name)) "
        + "ON \(SQLiteName.quoted(name)) (\(SQLiteName.quoted(column.name)))")
  }
}

extension Statement {
  /// Binds a value, whose bytes must stay where they are until the statement was run.
  internal func bind(_ index: Int32, _ value: BoundValue) throws(SQLiteError) {
    switch value.kind {
    case .null: bindNull(index)
    case .integer: bindInteger(index, Int64(bitPattern: value.bits))
    case .real: bindReal(index, Double(bitPattern: value.bits))
    case .text:
      if let bytes = value.bytes {
        try bindText(index, bytes, count: value.count)
      } else {
        try bindText(index, "")
      }
    case .blob:
      try bindBlob(index, UnsafeRawBufferPointer(start: value.bytes, count: Int(value.count)))
    }
  }
}
