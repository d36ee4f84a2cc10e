internal import CSQLite

/// SQL text that is compiled statement by statement, as SQLite finds their ends.
internal struct Script {
  private let text: [UInt8]
  private var position = 0
  /// Where the statement compiled last starts, in bytes; leading white space is skipped.
  internal private(set) var statementOffset = 0

  internal init(_ sql: String) {
    text = Array(sql.utf8)
  }

  /// Compiles the next statement; nil at the end of the text.
  internal mutating func next(on connection: Connection) throws(SQLiteError) -> Statement? {
    // SQLite would stop at the NUL without a word and leave the rest out.
    if let zero = text[position...].firstIndex(of: 0) {
      throw SQLiteError(
        code: SQLITE_ERROR, message: "the SQL contains a NUL character",
        operation: String(decoding: text[position..<zero], as: UTF8.self),
        path: connection.path, offset: zero)
    }
    while position < text.count {
      let start = position
      statementOffset = start + leadingSpace(from: start)
      let (code, handle, length) = compile(from: start, on: connection.open)
      guard code == SQLITE_OK else {
        let token = sqlite3_error_offset(connection.open)
        throw connection.failure(
          code, operation: String(decoding: text[statementOffset...], as: UTF8.self),
          offset: token >= 0 ? start + Int(token) : statementOffset)
      }
      position = start + length
      // No handle: white space, a comment or a lone semicolon.
      if let handle { return Statement(handle: handle, path: connection.path) }
    }
    return nil
  }

  private func compile(
    from start: Int, on database: OpaquePointer
  ) -> (code: Int32, handle: OpaquePointer?, length: Int) {
    text.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return (SQLITE_OK, nil, 0)
      }
      let count = bytes.count - start
      guard let limited = Int32(exactly: count) else { return (SQLITE_TOOBIG, nil, 0) }
      var handle: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(database, base + start, limited, &handle, &tail)
      // Without an advance the text is used up.
      let length = tail.map { base.distance(to: $0) - start } ?? count
      return (code, handle, length > 0 ? length : count)
    }
  }

  private func leadingSpace(from start: Int) -> Int {
    text[start...].prefix { $0 == 0x20 || (0x09...0x0D).contains($0) }.count
  }
}
