internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// Writes the whole state at a checkpoint: a compact copy of what the stream carries of the
/// database, with its position in it.
struct SnapshotWriter {
  let database: NewDatabase
  let store: ObjectStore

  /// Writes the snapshot at a position.
  ///
  /// - Returns: The entry for the head, whether the object is new, and the columns that the stream
  ///   does not carry and whose values are in it all the same.
  func write(
    at position: StreamPosition
  ) throws -> (entry: SnapshotEntry, isNew: Bool, uncarried: [PublishedColumn]) {
    let files = store.folder.files
    let copy = try WorkFile(for: database.path + ".snapshot", files: files)
    try StreamPublishError.inDatabase(database.path) { () throws(SQLiteError) in
      // The lock against writers is another connection's, so that this one sees what that one does.
      let source = try Connection(path: database.path, mode: .readOnly)
      try source.run("VACUUM INTO ?", .text(copy.path))
      try source.close()
    }
    let uncarried = try StreamPublishError.inDatabase(copy.path) { () throws(SQLiteError) in
      let connection = try Connection(path: copy.path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      let uncarried = try SnapshotContents(tables: database.tables, connection: connection)
        .reduce()
      try connection.execute("BEGIN")
      try NewDatabase.write(
        NewDatabase.cursor(database.stream, position, database.schema), database.tables,
        to: connection)
      try connection.execute("COMMIT")
      try connection.close()
      return uncarried
    }
    let object = try StagedObject(in: store)
    let totals = try pack(copy.path, into: object)
    let isNew = try object.store(in: store, sha256: totals.sha256, size: totals.size)
    return (
      SnapshotEntry(
        seq: position.seq, id: position.id, sha256: totals.sha256, size: totals.size,
        plainSize: totals.plainSize), isNew, uncarried
    )
  }

  private func pack(_ path: String, into object: StagedObject) throws -> DigestingGzip.Totals {
    let files = store.folder.files
    let descriptor = try StreamPublishError.inFile { () throws(FileError) in
      try files.open(path, .read)
    }
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    let packing = DigestingGzip { try object.write($0) }
    var offset: Int64 = 0
    while true {
      let count = try StreamPublishError.inFile { () throws(FileError) in
        try files.readAt(descriptor, path, buffer, offset)
      }
      if count == 0 { return try packing.finish() }
      try packing.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
  }
}
