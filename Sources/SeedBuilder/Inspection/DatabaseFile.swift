import SeedFiles
import SeedFormat
import SeedSQLite

/// A database file as it lies on the disk, looked at before SQLite touches it.
struct DatabaseFile {
  var path: String
  var byteCount: Int64
  /// The beginning of the file, at most 512 bytes.
  var firstBytes: [UInt8]
  /// The header; nil when the file does not start like a database.
  var header: DatabaseHeader?
  /// The size of the write-ahead log beside the file; nil when there is none.
  var writeAheadLogByteCount: Int64?
  /// The size of the rollback journal beside the file; nil when there is none.
  var journalByteCount: Int64?

  /// Reads the beginning of a file and looks for its siblings.
  ///
  /// - Throws: ``InspectionError`` when there is no readable regular file.
  init(path: String, files: FileSystem = .live) throws(InspectionError) {
    self.path = path
    let status: FileStatus?
    do throws(FileError) { status = try files.status(path) } catch {
      throw Self.failure(error, path)
    }
    switch status?.kind {
    case .regular: break
    case .directory: throw InspectionError(.directory, path: path)
    case nil: throw InspectionError(.notFound, path: path)
    default: throw InspectionError(.notRegular, path: path)
    }
    do throws(FileError) {
      byteCount = status?.byteCount ?? 0
      firstBytes = try Self.firstBytes(of: path, files)
      header = DatabaseHeader(firstBytes)
      writeAheadLogByteCount = try files.status(path + "-wal")?.byteCount
      journalByteCount = try files.status(path + "-journal")?.byteCount
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ error: FileError, _ path: String) -> InspectionError {
    InspectionError(error.isMissing ? .notFound : .unreadable(error), path: path)
  }

  /// What the file looks like if it is no database.
  var signature: FileSignature { FileSignature(firstBytes) }

  /// Whether part of the content is in a write-ahead log and not yet in the file.
  var hasWriteAheadLog: Bool { writeAheadLogByteCount ?? 0 > 0 }

  /// The header of a database of which nothing is missing.
  ///
  /// What is cut within a page would be read as if it ended in zeros. Where a log or a journal lies
  /// beside the file, the file alone need not be whole.
  ///
  /// - Throws: ``InspectionError`` when the file is no database or was cut off.
  func wholeHeader() throws(InspectionError) -> DatabaseHeader {
    guard let header else { throw InspectionError(.notADatabase(signature), path: path) }
    let isComplete = !hasWriteAheadLog && journalByteCount ?? 0 == 0
    if isComplete, let expected = header.wholeByteCount(ofCutFile: byteCount) {
      throw InspectionError(.cutOff(byteCount: byteCount, expected: expected), path: path)
    }
    return header
  }

  /// Opens the database for reading and leaves no file beside it, if that is possible.
  ///
  /// A database in WAL mode gets a `-shm` file even from readers, unless it is opened as
  /// immutable; but that ignores a log, so a file with one is opened in the usual way.
  ///
  /// - Parameter onDistrust: Told the name of a function that SQLite calls only because it was told to
  ///   trust the schema after all. Older versions trust none of those for JSON; nothing that has an
  ///   effect outside of the query is called then, either.
  /// - Returns: The connection.
  /// - Throws: ``SQLiteError`` when SQLite cannot open it.
  func openForReading(
    onDistrust: (String) -> Void = { _ in }
  ) throws(SQLiteError) -> Connection {
    let connection = try Connection(
      path: path, mode: hasWriteAheadLog ? .readOnly : .immutable)
    // The file may be hostile: its schema must not reach functions with side effects, and
    // every page is checked before it is used.
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    do throws(SQLiteError) {
      try connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
    } catch {
      // All else is told by the statement that needs it.
      if case .untrustedFunction(let name)? = error.missingPart {
        onDistrust(name)
        try connection.execute("PRAGMA trusted_schema = ON")
      }
    }
    return connection
  }

  private static func firstBytes(
    of path: String, _ files: FileSystem
  ) throws(FileError) -> [UInt8] {
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)
    defer { buffer.deallocate() }
    let count = try files.readAt(descriptor, path, buffer, 0)
    return Array(buffer[..<count])
  }
}
