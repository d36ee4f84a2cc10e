internal import SeedSQLite

/// Changes the rows of a table without a key: its first column tells them apart.
internal final class UnkeyedRows {
  private let columnCount: Int
  private let table: String
  private let connection: Connection
  private let removal: Statement
  private let insertion: Statement

  /// Prepares the statements for a table, and gives it an index, without which each change would
  /// read all of it.
  internal init(
    _ table: HyperHiveTable, name: String, _ connection: Connection
  ) throws(SQLiteError) {
    let quoted = SQLiteName.quoted(name)
    let columns = table.columns.map { SQLiteName.quoted($0.name) }
    columnCount = columns.count
    self.table = table.name
    self.connection = connection
    try connection.execute(
      "CREATE INDEX IF NOT EXISTS \(SQLiteName.quoted("_seed_hyperhive_" + name)) "
        + "ON \(quoted) (\(columns[0]))")
    removal = try connection.prepare("DELETE FROM \(quoted) WHERE \(columns[0]) = ?")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    insertion = try connection.prepare(
      "INSERT INTO \(quoted) (\(columns.joined(separator: ", "))) VALUES (\(places))")
  }

  /// Writes rows beside those with their ids.
  internal func insert(_ values: UnsafePointer<BoundValue>, rowCount: Int) throws(SQLiteError) {
    for row in 0..<rowCount { try insert(values + row * columnCount) }
  }

  private func insert(_ row: UnsafePointer<BoundValue>) throws(SQLiteError) {
    for column in 0..<columnCount { try insertion.bind(Int32(column + 1), row[column]) }
    try insertion.run()
  }

  /// Writes rows in their order, each in place of those with its id.
  internal func replace(_ values: UnsafePointer<BoundValue>, rowCount: Int) throws(SQLiteError) {
    for row in 0..<rowCount {
      let first = values + row * columnCount
      try removal.bind(1, first[0])
      try removal.run()
      try insert(first)
    }
  }

  /// Deletes the rows of some ids.
  ///
  /// - Throws: ``UnknownRow`` for an id that no row has, ``SQLiteError``.
  internal func delete(_ ids: UnsafePointer<BoundValue>, count: Int) throws {
    for index in 0..<count {
      try removal.bind(1, ids[index])
      try removal.run()
      guard connection.changes > 0 else {
        throw UnknownRow(table: table, id: ids + index, count: 1)
      }
    }
  }
}

/// The rows of a database are not those that a delta starts from.
internal struct UnknownRow: Error {
  internal var table: String
  /// The id as text.
  internal var id: String

  internal init(table: String, id values: UnsafePointer<BoundValue>, count: Int) {
    self.table = table
    id = (0..<count).map { index in
      let value = values[index]
      switch value.kind {
      case .null: return "null"
      case .integer: return String(Int64(bitPattern: value.bits))
      case .real: return Double(bitPattern: value.bits).description
      case .text, .blob:
        let bytes = UnsafeBufferPointer(start: value.bytes, count: Int(value.count))
        return String(decoding: bytes, as: UTF8.self)
      }
    }.joined(separator: ", ")
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
