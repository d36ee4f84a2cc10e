internal import SeedModel
internal import SeedSQLite

/// Converts the cells of a complete record and inserts it.
enum RowWriter {
  /// Inserts one row; false when its key is missing or taken.
  static func insert(
    _ row: OpenRow, into table: inout LoadTable, parent: (table: Int, key: Int64)?,
    scratch: UnsafeMutablePointer<UInt8>, onContradiction: () -> Void
  ) throws -> Bool {
    guard let statement = table.insert else {
      preconditionFailure("a table has its statement before it has rows")
    }
    guard let key = key(of: row, in: table) else { return false }
    let digest = table.digest
    digest?.startRow(id: key)
    for index in 0..<table.columnCount {
      let parameter = Int32(truncatingIfNeeded: index + 1)
      let column = table.columns + index
      switch column.pointee.kind {
      case .generatedKey:
        statement.bindInteger(parameter, key)
        digest?.integer(index, key)
      case .parent:
        guard let parent, parent.table == column.pointee.parentTable else {
          statement.bindNull(parameter)
          continue
        }
        statement.bindInteger(parameter, parent.key)
        digest?.integer(index, parent.key)
        column.pointee.filledCount += 1
      case .value:
        let cell = row.cells[index]
        guard let bytes = cell.bytes else {
          statement.bindNull(parameter)
          continue
        }
        let buffer = scratch + index * ColumnConverter.scratchSize
        switch column.pointee.converter.convert(bytes, cell.count, into: buffer) {
        case .null:
          statement.bindNull(parameter)
          continue
        case .integer(let value):
          statement.bindInteger(parameter, value)
          digest?.integer(index, value)
        case .real(let value):
          statement.bindReal(parameter, value)
          digest?.real(index, value)
        case .sameText:
          try statement.bindText(parameter, bytes, count: Int32(cell.count))
          digest?.text(index, bytes, count: cell.count)
        case .scratchText(let count):
          try statement.bindText(parameter, buffer, count: Int32(count))
          digest?.text(index, buffer, count: count)
        case .contradiction:
          statement.bindNull(parameter)
          onContradiction()
          continue
        }
        column.pointee.filledCount += 1
      }
    }
    if key <= table.lastRowID { table.digest = nil } else { table.lastRowID = key }
    if table.hasGeneratedKey {
      try statement.run()
    } else {
      guard try statement.runReportingKeyConflict() else { return false }
      if let late = table.insertLateKey {
        late.bindInteger(1, row.ordinal)
        late.bindInteger(2, key)
        try late.run()
      }
    }
    table.rowCount += 1
    return true
  }

  @inline(__always)
  private static func key(of row: OpenRow, in table: LoadTable) -> Int64? {
    if table.hasGeneratedKey { return row.ordinal }
    let cell = row.cells[table.keyColumn]
    guard let bytes = cell.bytes else { return nil }
    return IntegerText.parse(bytes, cell.count)
  }
}
