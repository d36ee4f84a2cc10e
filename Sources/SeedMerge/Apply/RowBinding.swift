internal import SeedSQLite

/// What the sections have in common about the values of a row.
enum RowBinding {
  /// - Throws: ``MergeError`` when the key has a NULL: the row would be another one at each merge.
  @inline(__always)
  static func checkKey(
    _ row: UnsafePointer<BoundValue>, _ positions: [Int], _ layout: TableLayout
  ) throws(MergeError) {
    for (index, position) in positions.enumerated() where row[position].kind == .null {
      throw MergeError(.nullInKey(column: layout.key[index].name), table: layout.name)
    }
  }

  /// Lends values as pointers to memory that stays for as long as the closure runs.
  static func withBoundValues<Value>(
    _ row: [SQLiteValue],
    _ body: (UnsafePointer<BoundValue>) throws(MergeError) -> Value
  ) throws(MergeError) -> Value {
    var bytes: [UInt8] = []
    for value in row {
      switch value {
      case .text(let text): bytes.append(contentsOf: text.utf8)
      case .blob(let blob): bytes.append(contentsOf: blob)
      default: break
      }
    }
    // One byte more, so that an empty text has an address, too: without one it would be NULL.
    bytes.append(0)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    let values = UnsafeMutablePointer<BoundValue>.allocate(capacity: max(row.count, 1))
    defer {
      memory.deallocate()
      values.deallocate()
    }
    var offset = 0
    for (index, value) in row.enumerated() {
      let bound: BoundValue
      switch value {
      case .null: bound = .null
      case .integer(let integer): bound = .integer(integer)
      case .real(let real): bound = .real(real)
      case .text(let text):
        bound = .text(memory + offset, count: text.utf8.count)
        offset += text.utf8.count
      case .blob(let blob):
        bound = .blob(memory + offset, count: blob.count)
        offset += blob.count
      }
      (values + index).initialize(to: bound)
    }
    return try body(values)
  }
}

extension BoundValue {
  /// The value in an error: a text in quotes, a blob by its length.
  var shown: String {
    switch kind {
    case .null: "NULL"
    case .integer: String(Int64(bitPattern: bits))
    case .real: String(Double(bitPattern: bits))
    case .text:
      "\"\(SQLText.shown(String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)))\""
    case .blob: "a blob of \(count) bytes"
    }
  }
}
