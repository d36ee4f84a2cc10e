internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite
internal import SeedTransport

/// A whole state as a database file, unpacked and checked before anything is merged.
internal struct SnapshotDatabase {
  /// The unpacked file.
  internal let path: String
  /// The unpacked file if it is one of the cache's: its lock keeps others away from it.
  private let unpacked: PartFile?

  private static let bufferBytes = 256 << 10

  /// Unpacks a snapshot beside it.
  ///
  /// - Throws: ``SegmentError`` when it is damaged or of another length, ``SeedFiles/FileError``.
  internal init(_ file: SnapshotFile, files: FileSystem) throws {
    switch file.encoding {
    case .database:
      path = file.path
      unpacked = nil
    case .gzip:
      let target = try PartFile.open(file.path + ".sqlite", files: files)
      try target.removeAllBytes()
      do {
        try Self.unpack(file, to: target, files: files)
      } catch {
        try target.remove()
        throw error
      }
      path = target.path
      unpacked = target
    }
  }

  private static func unpack(_ file: SnapshotFile, to target: PartFile, files: FileSystem) throws {
    let source = try files.open(file.path, .read)
    defer { files.close(source) }
    let reader = GzipFileReader(
      source, file.path, pieceByteCount: bufferBytes, files: files)
    while let piece = try reader.next() {
      if let expected = file.plainByteCount, reader.givenByteCount > expected {
        throw wrongLength(expected)
      }
      try target.append(piece)
    }
    switch reader.state {
    case .damaged(let words): throw SegmentError("the gzip data is damaged: \(words)")
    case .unfinished: throw SegmentError("the gzip data ends too early")
    case .ended:
      guard try files.descriptorStatus(source, file.path).byteCount == reader.takenByteCount else {
        throw SegmentError("something follows the gzip data")
      }
      if let expected = file.plainByteCount, reader.givenByteCount != expected {
        throw wrongLength(expected)
      }
    }
  }

  private static func wrongLength(_ expected: Int64) -> SegmentError {
    SegmentError("the snapshot is not \(expected) bytes long, as the stream says")
  }

  /// Looks at the file on a connection of its own, which trusts nothing in it.
  ///
  /// - Parameters:
  ///   - position: What its own row must say.
  ///   - stream: The stream's name.
  ///   - tables: The tables that are going to be read, which must be ordinary tables with the
  ///     columns.
  /// - Throws: ``SegmentError`` when it is not what the stream says, ``SeedSQLite/SQLiteError``,
  ///   ``StreamDatabase/Failure`` when a table or a column is missing.
  internal func check(
    position: StreamPosition, stream: String, tables: [StreamTable]
  ) throws {
    let connection = try Connection(path: path, mode: .immutable)
    do {
      try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      if let finding = try connection.structuralFinding() {
        throw SegmentError("the snapshot is a damaged database: \(finding)")
      }
    } catch let error as SQLiteError where error.isCorrupt || error.isNotADatabase {
      throw SegmentError("the snapshot is no database: \(error.message)")
    }
    let own: StreamCursor?
    do throws(CursorError) {
      own = try CursorTables.cursor(of: stream, in: connection)
    } catch {
      throw SegmentError("the snapshot's position cannot be read: \(error.message)")
    }
    guard own?.position == position else {
      throw SegmentError("the snapshot's own position is not what the stream says")
    }
    for table in tables {
      let rows = try connection.rows(
        "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
        .text(table.name))
      guard let row = rows.first else {
        throw StreamDatabase.Failure.incompatible(table: table.name, column: nil)
      }
      guard row[0] == .text("table") else {
        throw SegmentError("\"\(table.name)\" in the snapshot is no table")
      }
      let names = try connection.rows(
        "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", .text(table.name))
      let columns = Set(
        names.compactMap { row -> String? in
          if case .text(let name) = row[0] { PublishedTables.folded(name) } else { nil }
        })
      for column in table.columns where !columns.contains(PublishedTables.folded(column.name)) {
        throw StreamDatabase.Failure.incompatible(table: table.name, column: column.name)
      }
    }
  }

  /// Deletes the unpacked file.
  ///
  /// - Throws: ``SeedFiles/FileError``.
  internal func remove() throws(FileError) {
    guard let unpacked else { return }
    do throws(FileError) {
      try unpacked.remove()
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Deletes the unpacked file where an error is told already; the next sweep takes one that stays.
  internal func removeIgnoringFailure() {
    do throws(FileError) {
      try remove()
    } catch {
      return
    }
  }
}
