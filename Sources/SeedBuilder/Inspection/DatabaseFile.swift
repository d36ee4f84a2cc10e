import SeedSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
  init(path: String) throws(InspectionError) {
    self.path = path
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw InspectionError(isMissing ? .notFound : .unreadable(errno), path: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw InspectionError(.unreadable(errno), path: path)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw InspectionError(.directory, path: path)
    default: throw InspectionError(.notRegular, path: path)
    }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw InspectionError(.unreadable(errno), path: path) }
    firstBytes = Array(bytes.prefix(count))
    byteCount = Int64(status.st_size)
    header = DatabaseHeader(firstBytes)
    writeAheadLogByteCount = Self.byteCount(ofFileAt: path + "-wal")
    journalByteCount = Self.byteCount(ofFileAt: path + "-journal")
  }

  /// What the file looks like if it is no database.
  var signature: FileSignature { FileSignature(firstBytes) }

  /// Whether part of the content is in a write-ahead log and not yet in the file.
  var hasWriteAheadLog: Bool { writeAheadLogByteCount ?? 0 > 0 }

  /// Opens the database for reading and leaves no file beside it, if that is possible.
  ///
  /// A database in WAL mode gets a `-shm` file even from readers, unless it is opened as
  /// immutable; but that ignores a log, so a file with one is opened in the usual way.
  ///
  /// - Throws: ``SQLiteError`` when SQLite cannot open it.
  func openForReading() throws(SQLiteError) -> Connection {
    let connection = try Connection(
      path: path, mode: hasWriteAheadLog ? .readOnly : .immutable)
    // The file may be hostile: its schema must not reach functions with side effects, and
    // every page is checked before it is used.
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    return connection
  }

  private static func byteCount(ofFileAt path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}
