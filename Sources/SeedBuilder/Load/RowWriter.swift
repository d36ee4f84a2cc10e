internal import SeedModel
internal import SeedSQLite

/// Converts the cells of a complete record into a row that waits to be inserted.
enum RowWriter {
  /// What became of a row.
  enum Result {
    case added
    /// Added, but a value did not fit its column.
    case contradicted
    /// Not added: its key is missing, or the table's rows are refused.
    case refused
  }

  /// Adds one row to the block of those that are put together.
  ///
  /// - Precondition: The table has such a block, and it is not full.
  static func add(
    _ row: UnsafeMutablePointer<OpenRow>, to table: UnsafeMutablePointer<LoadTable>,
    parentTable: Int, parentKey: Int64
  ) -> Result {
    guard var block = table.pointee.rows.block else {
      preconditionFailure("a row is added to a block")
    }
    // What goes in no more is converted all the same, so that the columns learn of its values.
    let ownKey = table.pointee.isRejected ? nil : key(of: row, in: table)
    let key = ownKey ?? 0
    let columnCount = table.pointee.columnCount
    let cells = row.pointee.cells
    let first = table.pointee.numbersItself ? 1 : 0
    // The key that SQLite makes is not among the values; the others keep their indices.
    let values = block.values + block.rowCount * (columnCount - first) - first
    var hasContradiction = false
    for index in first..<columnCount {
      let column = table.pointee.columns + index
      switch column.pointee.kind {
      case .generatedKey: values[index] = .integer(key)
      case .line: values[index] = .integer(Int64(row.pointee.line))
      case .place: values[index] = .integer(Int64(row.pointee.place))
      case .parent:
        guard parentTable == column.pointee.parentTable else {
          values[index] = .null
          continue
        }
        values[index] = .integer(parentKey)
        column.pointee.filledCount += 1
      case .value:
        guard let bytes = cells[index].bytes else {
          values[index] = .null
          continue
        }
        let isFilled = convert(
          bytes, cells[index].count, column, into: values + index, &block)
        if isFilled == nil { hasContradiction = true }
        if isFilled == true { column.pointee.filledCount += 1 }
      }
    }
    guard ownKey != nil else { return .refused }
    noteOrder(of: key, in: table)
    if table.pointee.isDigested { digest(values, first..<columnCount, key: key, table) }
    table.pointee.rowCount += 1
    block.rowCount += 1
    table.pointee.rows.block = block
    if table.pointee.keyComesLate { table.pointee.lateKeys.add(row.pointee.ordinal, key) }
    return hasContradiction ? .contradicted : .added
  }

  /// Converts one value; true when it is not NULL, nil when it contradicts the column's type.
  @inline(__always)
  private static func convert(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ column: UnsafeMutablePointer<LoadColumn>,
    into value: UnsafeMutablePointer<BoundValue>, _ block: inout RowBlock
  ) -> Bool? {
    let scratch = block.freeScratch
    switch column.pointee.converter.convert(bytes, count, into: scratch) {
    case .integer(let number): value.pointee = .integer(number)
    case .real(let number): value.pointee = .real(number)
    case .sameText: value.pointee = .text(bytes, count: count)
    case .scratchText(let count):
      value.pointee = .text(UnsafePointer(scratch), count: count)
      block.keepScratch(count)
    case .base64: return decode(bytes, count, into: value)
    case .null:
      value.pointee = .null
      return false
    case .contradiction:
      value.pointee = .null
      return nil
    }
    return true
  }

  /// Puts the bytes where their Base64 stands, of which nobody needs it any more; nil when it is
  /// none.
  private static func decode(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into value: UnsafeMutablePointer<BoundValue>
  ) -> Bool? {
    guard let decoded = Base64.decode(UnsafeMutablePointer(mutating: bytes), count: count) else {
      value.pointee = .null
      return nil
    }
    value.pointee = .blob(bytes, count: decoded)
    return true
  }

  @inline(__always)
  private static func noteOrder(of key: Int64, in table: UnsafeMutablePointer<LoadTable>) {
    if key <= table.pointee.lastRowID {
      table.pointee.isDigested = false
      // Our own keys are all different, whatever order they come in.
      if !table.pointee.hasGeneratedKey { table.pointee.mayConflict = true }
    } else {
      table.pointee.lastRowID = key
    }
  }

  @inline(__always)
  private static func digest(
    _ values: UnsafeMutablePointer<BoundValue>, _ columns: Range<Int>, key: Int64,
    _ table: UnsafeMutablePointer<LoadTable>
  ) {
    table.pointee.digest.startRow(id: key)
    if columns.lowerBound > 0 {
      table.pointee.digest.number(0, UInt8(ascii: "i"), UInt64(bitPattern: key))
    }
    for index in columns {
      let value = values + index
      switch value.pointee.kind {
      case .null: continue
      case .integer: table.pointee.digest.number(index, UInt8(ascii: "i"), value.pointee.bits)
      case .real: table.pointee.digest.number(index, UInt8(ascii: "d"), value.pointee.bits)
      case .text:
        guard let bytes = value.pointee.bytes else { continue }
        table.pointee.digest.bytes(
          index, UInt8(ascii: "t"), bytes, count: Int(value.pointee.count))
      case .blob:
        guard let bytes = value.pointee.bytes else { continue }
        table.pointee.digest.bytes(
          index, UInt8(ascii: "b"), bytes, count: Int(value.pointee.count))
      }
    }
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
