internal import CSQLite

/// Parameters count from 1, as in SQLite.
///
/// - Precondition: In every function here the index is that of a parameter, and the statement was
///   reset since it was last stepped.
extension Statement {
  /// Binds NULL.
  package func bindNull(_ index: Int32) {
    let code = sqlite3_bind_null(handle, index)
    precondition(code == SQLITE_OK, "no such parameter, or the statement is running")
  }

  /// Binds an integer.
  package func bindInteger(_ index: Int32, _ value: Int64) {
    let code = sqlite3_bind_int64(handle, index, value)
    precondition(code == SQLITE_OK, "no such parameter, or the statement is running")
  }

  /// Binds a floating-point number; SQLite stores a NaN as NULL.
  package func bindReal(_ index: Int32, _ value: Double) {
    let code = sqlite3_bind_double(handle, index, value)
    precondition(code == SQLITE_OK, "no such parameter, or the statement is running")
  }

  /// Binds UTF-8 text without copying it.
  ///
  /// SQLite keeps the pointer: it must stay valid, and its bytes unchanged, until the parameter is
  /// bound anew or the statement is let go of, or until ``run()`` or ``reset()`` if it is not
  /// stepped again before that.
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isTooBig`` beyond SQLite's limit (10^9 bytes).
  package func bindText(
    _ index: Int32, _ bytes: UnsafePointer<UInt8>, count: Int32
  ) throws(SQLiteError) {
    let code = seed_sqlite3_bind_text_static(handle, index, bytes, count)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Binds text, which SQLite copies; an embedded NUL is kept.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isTooBig`` beyond SQLite's limit (10^9 bytes).
  package func bindText(_ index: Int32, _ text: String) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 { bytes in
      seed_sqlite3_bind_text_copy(handle, index, bytes.baseAddress, bytes.count)
    }
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Binds bytes, which SQLite copies; no bytes are an empty blob, not NULL.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isTooBig`` beyond SQLite's limit (10^9 bytes).
  package func bindBlob(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
    let code = seed_sqlite3_bind_blob_copy(handle, index, bytes.baseAddress, bytes.count)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Binds bytes, which SQLite copies; no bytes are an empty blob, not NULL.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isTooBig`` beyond SQLite's limit (10^9 bytes).
  package func bindBlob(_ index: Int32, _ bytes: [UInt8]) throws(SQLiteError) {
    let code = bytes.withUnsafeBytes { buffer in
      seed_sqlite3_bind_blob_copy(handle, index, buffer.baseAddress, buffer.count)
    }
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Binds a value of any type, copying it.
  ///
  /// - Throws: ``SQLiteError`` as the function for the value's type does.
  package func bind(_ index: Int32, _ value: SQLiteValue) throws(SQLiteError) {
    switch value {
    case .null: bindNull(index)
    case .integer(let integer): bindInteger(index, integer)
    case .real(let real): bindReal(index, real)
    case .text(let text): try bindText(index, text)
    case .blob(let bytes): try bindBlob(index, bytes)
    }
  }
}

extension Statement {
  /// Binds values to the first parameters without copying them, as ``bindText(_:_:count:)`` does.
  ///
  /// - Parameters:
  ///   - values: The values; their texts and blobs stay until the statement has run.
  ///   - count: How many there are.
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isTooBig`` beyond SQLite's limit (10^9 bytes).
  package func bindUncopied(_ values: UnsafePointer<BoundValue>, count: Int) throws(SQLiteError) {
    for index in 0..<count {
      let code = Self.bind(handle, Int32(truncatingIfNeeded: index + 1), values + index)
      if code != SQLITE_OK { throw failure(code) }
    }
  }

  /// Binds one value without copying it, as ``bindText(_:_:count:)`` does.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isTooBig`` beyond SQLite's limit (10^9 bytes).
  package func bindUncopied(_ index: Int32, _ value: BoundValue) throws(SQLiteError) {
    let code = withUnsafePointer(to: value) { Self.bind(handle, index, $0) }
    if code != SQLITE_OK { throw failure(code) }
  }

  @inline(__always)
  private static func bind(
    _ handle: OpaquePointer, _ parameter: Int32, _ value: UnsafePointer<BoundValue>
  ) -> Int32 {
    switch value.pointee.kind {
    case .null: sqlite3_bind_null(handle, parameter)
    case .integer: sqlite3_bind_int64(handle, parameter, Int64(bitPattern: value.pointee.bits))
    case .real: sqlite3_bind_double(handle, parameter, Double(bitPattern: value.pointee.bits))
    case .text:
      seed_sqlite3_bind_text_static(
        handle, parameter,
        UnsafeRawPointer(value.pointee.bytes)?.assumingMemoryBound(to: CChar.self),
        value.pointee.count)
    case .blob:
      seed_sqlite3_bind_blob_static(
        handle, parameter, UnsafeRawPointer(value.pointee.bytes), value.pointee.count)
    }
  }
}
