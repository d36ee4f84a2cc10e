internal import CSQLite

/// Columns count from 0, as in SQLite.
///
/// - Precondition: Values are read while ``step()`` has last returned true.
extension Statement {
  /// The number of columns that a row has; 0 for a statement that yields none.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// A column's name: its alias, or what SQLite makes of the expression.
  package func columnName(_ index: Int32) -> String {
    sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
  }

  /// The type of the value as it is stored; ask before reading it in another one.
  package func columnType(_ index: Int32) -> ColumnType {
    ColumnType(code: sqlite3_column_type(handle, index))
  }

  /// The value as an integer; NULL is 0, other types are cast.
  package func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  /// The value as a floating-point number; NULL is 0, other types are cast.
  package func real(_ index: Int32) -> Double { sqlite3_column_double(handle, index) }

  /// The value as text; NULL is empty.
  ///
  /// An embedded NUL is kept, invalid UTF-8 is repaired.
  package func text(_ index: Int32) -> String {
    withTextBytes(index) { String(decoding: $0, as: UTF8.self) }
  }

  /// Lends the value's UTF-8 bytes, valid inside the closure only; NULL has none.
  package func withTextBytes<Result, Failure: Error>(
    _ index: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The order matters: asking for the text may convert the value, which sets the length.
    let start = sqlite3_column_text(handle, index)
    let count = sqlite3_column_bytes(handle, index)
    return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }

  /// Lends the value's bytes, valid inside the closure only; NULL and an empty blob have none.
  package func withBlobBytes<Result, Failure: Error>(
    _ index: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = sqlite3_column_blob(handle, index)
    let count = sqlite3_column_bytes(handle, index)
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
  }

  /// The value's bytes; NULL and an empty blob have none.
  package func blob(_ index: Int32) -> [UInt8] { withBlobBytes(index) { Array($0) } }

  /// The value in its stored type.
  package func value(_ index: Int32) -> SQLiteValue {
    switch columnType(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .real(real(index))
    case .text: .text(text(index))
    case .blob: .blob(blob(index))
    }
  }
}
