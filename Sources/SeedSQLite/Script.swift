internal import CSQLite

/// SQL text that is compiled statement by statement, as SQLite finds their ends.
internal struct Script {
  /// The text and a NUL: SQLite copies the whole rest at every statement if it does not see one.
  private let text: [UInt8]
  private let end: Int
  private var position = 0
  /// Where the statement compiled last starts, in bytes, white space before it left out.
  internal private(set) var statementOffset = 0

  internal init(_ sql: String) {
    text = Array(sql.utf8) + [0]
    end = text.count - 1
  }

  /// Compiles the next statement; nil at the end of the text.
  internal mutating func next(on connection: Connection) throws(SQLiteError) -> Statement? {
    if position == 0 { try checkForNUL(connection) }
    while position < end {
      // Skipped so that error messages and offsets start with the statement itself.
      position += text[position..<end].prefix { $0 == 0x20 || (0x09...0x0D).contains($0) }.count
      statementOffset = position
      let (code, handle, length) = compile(on: connection.open)
      guard code == SQLITE_OK else {
        let token = Int(sqlite3_error_offset(connection.open))
        throw connection.failure(
          code, operation: String(decoding: text[position..<end], as: UTF8.self),
          offset: position + max(token, 0))
      }
      position += length
      // No handle: white space, a comment or a lone semicolon.
      if let handle { return Statement(handle: handle, path: connection.path) }
    }
    return nil
  }

  /// SQLite would stop at the NUL without a word and leave the rest out.
  private func checkForNUL(_ connection: Connection) throws(SQLiteError) {
    guard let zero = text.firstIndex(of: 0), zero < end else { return }
    throw SQLiteError(
      code: SQLITE_ERROR, message: "the SQL contains a NUL character",
      operation: String(decoding: text[..<zero], as: UTF8.self), path: connection.path,
      offset: zero)
  }

  /// Compiles what starts at the position; the length is that of the text used up.
  private func compile(
    on database: OpaquePointer
  ) -> (code: Int32, handle: OpaquePointer?, length: Int) {
    text.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      guard let start = rest.baseAddress?.assumingMemoryBound(to: CChar.self),
        let count = Int32(exactly: rest.count)
      else { return (SQLITE_TOOBIG, nil, 0) }
      var handle: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(database, start, count, &handle, &tail)
      return (code, handle, tail.map { start.distance(to: $0) } ?? rest.count - 1)
    }
  }
}
