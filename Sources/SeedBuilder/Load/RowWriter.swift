internal import SeedModel
internal import SeedSQLite

/// Converts the cells of a complete record and inserts it.
enum RowWriter {
  /// What became of a row.
  enum Result {
    case inserted
    /// Inserted, but a value did not fit its column.
    case contradicted
    /// Not inserted: its key is missing or taken.
    case refused
  }

  /// Inserts one row.
  ///
  /// - Parameter scratch: Room for ``ColumnConverter/scratchSize`` bytes for each column.
  static func insert(
    _ row: UnsafeMutablePointer<OpenRow>, into table: UnsafeMutablePointer<LoadTable>,
    parentTable: Int, parentKey: Int64, scratch: UnsafeMutablePointer<UInt8>
  ) throws -> Result {
    guard let statement = table.pointee.insert else {
      preconditionFailure("a table has its statement before it has rows")
    }
    guard let key = key(of: row, in: table) else { return .refused }
    if key <= table.pointee.lastRowID {
      table.pointee.isDigested = false
    } else {
      table.pointee.lastRowID = key
    }
    let isDigested = table.pointee.isDigested
    if isDigested { table.pointee.digest.startRow(id: key) }
    var result = Result.inserted
    let cells = row.pointee.cells
    for index in 0..<table.pointee.columnCount {
      let parameter = Int32(truncatingIfNeeded: index + 1)
      let column = table.pointee.columns + index
      switch column.pointee.kind {
      case .generatedKey:
        statement.bindInteger(parameter, key)
        if isDigested { table.pointee.digest.integer(index, key) }
      case .parent:
        guard parentTable == column.pointee.parentTable else {
          statement.bindNull(parameter)
          continue
        }
        statement.bindInteger(parameter, parentKey)
        if isDigested { table.pointee.digest.integer(index, parentKey) }
        column.pointee.filledCount += 1
      case .value:
        guard let bytes = cells[index].bytes else {
          statement.bindNull(parameter)
          continue
        }
        let count = cells[index].count
        let buffer = scratch + index * 64
        switch column.pointee.converter.convert(bytes, count, into: buffer) {
        case .null:
          statement.bindNull(parameter)
          continue
        case .integer(let value):
          statement.bindInteger(parameter, value)
          if isDigested { table.pointee.digest.integer(index, value) }
        case .real(let value):
          statement.bindReal(parameter, value)
          if isDigested { table.pointee.digest.real(index, value) }
        case .sameText:
          try statement.bindText(parameter, bytes, count: Int32(count))
          if isDigested { table.pointee.digest.text(index, bytes, count: count) }
        case .scratchText(let count):
          try statement.bindText(parameter, buffer, count: Int32(count))
          if isDigested { table.pointee.digest.text(index, buffer, count: count) }
        case .contradiction:
          statement.bindNull(parameter)
          result = .contradicted
          continue
        }
        column.pointee.filledCount += 1
      }
    }
    return try step(statement, row, table, key: key) ? result : .refused
  }

  @inline(__always)
  private static func step(
    _ statement: Statement, _ row: UnsafeMutablePointer<OpenRow>,
    _ table: UnsafeMutablePointer<LoadTable>, key: Int64
  ) throws -> Bool {
    if table.pointee.hasGeneratedKey {
      try statement.run()
    } else {
      guard try statement.runReportingKeyConflict() else { return false }
      if let late = table.pointee.insertLateKey {
        late.bindInteger(1, row.pointee.ordinal)
        late.bindInteger(2, key)
        try late.run()
      }
    }
    table.pointee.rowCount += 1
    return true
  }

  @inline(__always)
  private static func key(
    of row: UnsafeMutablePointer<OpenRow>, in table: UnsafeMutablePointer<LoadTable>
  ) -> Int64? {
    if table.pointee.hasGeneratedKey { return row.pointee.ordinal }
    let cell = row.pointee.cells[table.pointee.keyColumn]
    guard let bytes = cell.bytes else { return nil }
    return IntegerText.parse(bytes, cell.count)
  }
}
