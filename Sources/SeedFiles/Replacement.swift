/// What a new file may replace.
package enum Replacement: Sendable {
  /// Nothing: the file must be a new one.
  case nothing
  /// Any regular file: for names that nobody but this tool gives.
  case anyFile
  /// An SQLite database or an empty file, without an unfinished log beside it.
  ///
  /// SQLite applies a log to whatever file it finds under the log's name, so a log left by the old
  /// database, or by one that was deleted, would damage the new one. Nor one that another process
  /// has locked: with a write-ahead log it would go on with the log of the old file.
  case sqliteDatabase
  /// A file of one kind, or an empty one.
  case file(FileKind)

  /// Looks at the destination and what lies beside it.
  internal func check(_ destination: Destination, on files: FileSystem) throws(PublishError) {
    let objection: PublishError.Reason?
    do throws(FileError) {
      objection =
        switch self {
        case .nothing: destination.status == nil ? nil : .exists
        case .anyFile: nil
        case .sqliteDatabase: try Self.objection(toDatabase: destination, on: files)
        case .file(let kind): try Self.objection(toFile: destination, of: kind, on: files)
        }
    } catch {
      throw PublishError(.cannotCreate(error), path: destination.name)
    }
    if let objection { throw PublishError(objection, path: destination.name) }
  }

  private static func objection(
    toFile destination: Destination, of kind: FileKind, on files: FileSystem
  ) throws(FileError) -> PublishError.Reason? {
    guard let status = destination.status, status.byteCount > 0 else { return nil }
    let start = try start(of: destination.path, count: kind.byteLimit, on: files)
    return kind.includes(start) ? nil : .otherKind(kind.name)
  }

  private static func objection(
    toDatabase destination: Destination, on files: FileSystem
  ) throws(FileError) -> PublishError.Reason? {
    guard try starts(destination, with: "SQLite format 3\0", on: files) else {
      return .notADatabase
    }
    let log = destination.path + "-wal"
    if let status = try files.status(log), status.byteCount > 0 { return .unfinishedLog(log) }
    let journal = destination.path + "-journal"
    // A journal kept for reuse (`journal_mode=PERSIST`) starts with zeros; SQLite ignores it.
    if let status = try files.status(journal), status.byteCount > 0,
      try start(of: journal, count: 1, on: files) != [0]
    {
      return .unfinishedLog(journal)
    }
    return try lockHolder(of: destination, on: files).map { .isOpen(process: $0) }
  }

  /// The process that has a database open: with a write-ahead log it holds a shared lock all the
  /// time, else while it reads or writes.
  private static func lockHolder(
    of destination: Destination, on files: FileSystem
  ) throws(FileError) -> Int32? {
    guard destination.status != nil else { return nil }
    let descriptor = try files.open(destination.path, .read)
    defer { files.close(descriptor) }
    return try files.recordLockHolder(
      descriptor, destination.path, lockOffset, lockByteCount)
  }

  /// The bytes that SQLite locks: the pending byte, the reserved byte and 510 for readers, behind
  /// the first gigabyte (sqlite.org/fileformat2.html, 1.3.1 "The Lock-Byte Page").
  private static let lockOffset: Int64 = 0x4000_0000
  private static let lockByteCount: Int64 = 512

  /// Whether there is no file, an empty one, or one whose first bytes are those of a text.
  private static func starts(
    _ destination: Destination, with text: String, on files: FileSystem
  ) throws(FileError) -> Bool {
    guard let status = destination.status, status.byteCount > 0 else { return true }
    let bytes = Array(text.utf8)
    return try start(of: destination.path, count: bytes.count, on: files) == bytes
  }

  /// The first bytes of a file; fewer if it is shorter.
  private static func start(
    of path: String, count: Int, on files: FileSystem
  ) throws(FileError) -> [UInt8] {
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      // A local function cannot be generic over the typed error, so the result is carried out.
      let result = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in
          try files.read(
            descriptor, path, UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
      }
      let length = try result.get()
      if length == 0 { break }
      filled += length
    }
    return Array(bytes[..<filled])
  }
}
