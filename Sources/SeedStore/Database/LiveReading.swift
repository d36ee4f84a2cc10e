internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// What is found in the database at the destination, which others may be using.
internal enum LiveReading: Sendable, Equatable {
  case database(DatabaseFacts)
  /// No database, or a damaged one, and why.
  case unusable(String)
  /// One in a format that this SQLite does not know, as a later one may write it; its number.
  case unknownFormat(Int)
}

/// Reads an installed database without writing a byte and without a descriptor of its own.
internal struct LiveReader: Sendable {
  internal let files: FileSystem
  /// How long a writer may keep this waiting.
  internal let busyMilliseconds: Int

  /// The newest format of schemas that SQLite has had, since 2006.
  private static let newestSchemaFormat = 4

  internal func read(_ path: String) throws(SQLiteError) -> LiveReading {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, mode: .readOnly)
      defer { withExtendedLifetime(connection) {} }
      let start = try connection.fileStart(byteCount: DatabaseFacts.startByteCount)
      guard let header = DatabaseHeader(start), header.hasValidPageSize else {
        return .unusable("it looks like \(FileSignature(start).name)")
      }
      // SQLite has no code of its own for it (sqlite.org/fileformat2.html, offset 44).
      let schemaFormat = start[44..<48].reduce(0) { $0 << 8 | Int($1) }
      if schemaFormat > Self.newestSchemaFormat { return .unknownFormat(schemaFormat) }
      if header.isWriteAheadLogging, let reading = try readUnused(path, start, connection) {
        return reading
      }
      return try readInUse(path, connection)
    } catch {
      let isDamage = error.isCorrupt && error.missingPart == nil
      if isDamage || error.isNotADatabase { return .unusable(error.message) }
      throw error
    }
  }

  /// Reads a database in WAL mode that nobody has open; nil if somebody has, or opens it meanwhile.
  ///
  /// An ordinary reader would create `-wal` and `-shm`. Without a log the file is all there is, so
  /// it is read as immutable, and the reading counts if the file is then still the same and still
  /// without a log.
  private func readUnused(
    _ path: String, _ start: [UInt8], _ connection: Connection
  ) throws(SQLiteError) -> LiveReading? {
    guard isAbsent(path + "-wal") else { return nil }
    let facts: DatabaseFacts
    do throws(SQLiteError) {
      let reader = try Connection(path: path, mode: .immutable)
      facts = try DatabaseFacts(start: start, from: reader)
    } catch {
      guard try isUnchanged(path, start, connection) else { return nil }
      throw error
    }
    let finding = sizeFinding(path, start)
    guard try isUnchanged(path, start, connection) else { return nil }
    return finding ?? .database(facts)
  }

  private func isUnchanged(
    _ path: String, _ start: [UInt8], _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    guard isAbsent(path + "-wal") else { return false }
    return try connection.fileStart(byteCount: DatabaseFacts.startByteCount) == start
  }

  /// Reads in a transaction, as any other reader would.
  private func readInUse(
    _ path: String, _ connection: Connection
  ) throws(SQLiteError) -> LiveReading {
    do throws(SQLiteError) {
      return try readInTransaction(path, connection)
    } catch {
      // A journal to be rolled back, or a log to be recovered, takes a connection that may write;
      // the app's own would do the same.
      guard error.isReadOnly || error.cannotOpen else { throw error }
      return try readInTransaction(path, Connection(path: path, mode: .readWrite))
    }
  }

  private func readInTransaction(
    _ path: String, _ connection: Connection
  ) throws(SQLiteError) -> LiveReading {
    connection.setBusyTimeout(milliseconds: busyMilliseconds)
    // The app trusts its own schema, and so does this: an index of the app's on json_extract(), which
    // SQLite before 3.41 calls for a trusted schema only, is no damage.
    try connection.execute("BEGIN")
    var facts = try DatabaseFacts(start: [], from: connection)
    // From here on no writer can change the file of a database in rollback mode.
    facts.start = try connection.fileStart(byteCount: DatabaseFacts.startByteCount)
    let usesLog = facts.header?.isWriteAheadLogging ?? false
    let finding = usesLog ? nil : sizeFinding(path, facts.start)
    try connection.execute("COMMIT")
    return finding ?? .database(facts)
  }

  /// SQLite opens a database that was cut short without complaint.
  private func sizeFinding(_ path: String, _ start: [UInt8]) -> LiveReading? {
    guard let expected = DatabaseHeader(start)?.expectedByteCount,
      let status = try? files.linkStatus(path), status.byteCount < expected
    else { return nil }
    return .unusable("it has \(status.byteCount) bytes instead of \(expected)")
  }

  private func isAbsent(_ path: String) -> Bool {
    do throws(FileError) { return try files.linkStatus(path) == nil } catch { return false }
  }
}
