internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// A checkpoint that came whole, as a file that is applied like a published segment.
internal struct ClosedCheckpoint: Sendable, Hashable {
  internal var from: StreamPosition
  internal var to: StreamPosition
  /// What the server wants to be given back with the new position.
  internal var cursor: String?
  /// The file and the length of its text.
  internal var path: String
  internal var byteCount: Int64

  /// The file as it is applied.
  internal var segmentFile: SegmentFile {
    SegmentFile(
      path: path, encoding: .plain, plainByteCount: byteCount, epoch: to.epoch, from: from.seq,
      to: to.seq, lastID: to.id, isSparse: true, cursor: cursor)
  }

  /// Writes the file from the pages that are there and what came after them.
  ///
  /// The header can only be written now that the end is known, so the pages are copied behind it.
  /// - Parameters:
  ///   - slot: Where the files lie.
  ///   - pages: The pages.
  ///   - rest: The lines after the last page.
  ///   - position: Where the checkpoint leads.
  ///   - rows: All of its rows.
  ///   - cursor: What the server gave.
  /// - Returns: The checkpoint, whose file is complete.
  /// - Throws: ``SeedFiles/FileError``.
  internal static func write(
    _ slot: SpoolSlot, _ pages: VerifiedPages, _ rest: PageBuffer, to position: StreamPosition,
    rows: Int64, cursor: String?
  ) throws -> ClosedCheckpoint {
    let from = pages.position
    let path = slot.path(from, "ndjson")
    guard let file = try PartFile(at: path + ".new", files: slot.cache.files) else {
      throw FileError(.flock, path, code: FileError.busy)
    }
    try file.removeAllBytes()
    var digest = SHA256Digest()
    func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
      digest.update(bytes)
      try file.append(bytes)
    }
    var header = SegmentText()
    header.append(
      SegmentHeader(
        stream: slot.key.stream, epoch: position.epoch, from: from.seq, to: position.seq,
        ids: [from.id, position.id]))
    try header.bytes.lend { (bytes) throws(FileError) in try append(bytes) }
    try pages.forEachPiece { try append($0) }
    try rest.forEachPiece { (bytes) throws(FileError) in try append(bytes) }
    var end = SegmentText()
    end.countRows(rows)
    end.appendEnd()
    try end.bytes.lend { (bytes) throws(FileError) in try append(bytes) }
    try file.rename(to: path)
    let closed = ClosedCheckpoint(
      from: from, to: position, cursor: cursor, path: path, byteCount: file.byteCount)
    try closed.writeSidecar(slot, sha256: digest.hexadecimal())
    try pages.remove()
    return closed
  }

  private func writeSidecar(_ slot: SpoolSlot, sha256: String) throws(FileError) {
    var bytes: [UInt8] = []
    JSONBytes.append(
      [
        "url": .string(slot.key.url), "stream": .string(slot.key.stream),
        "schema": .string(slot.key.schema), "from_id": .string(from.id),
        "seq": .integer(to.seq), "id": .string(to.id), "cursor": .string(cursor),
        "size": .integer(byteCount), "sha256": .string(sha256),
      ], to: &bytes)
    try slot.cache.write(bytes, to: slot.name(from, "json"))
  }

  /// The most bytes of a sidecar.
  private static let sidecarByteLimit = 1 << 20

  /// The checkpoint after a position that an earlier run has closed but not handed out; nil if there
  /// is none, or if its file is not what it was.
  internal static func read(
    _ slot: SpoolSlot, after position: StreamPosition
  ) throws(FileError) -> ClosedCheckpoint? {
    let name = slot.name(position, "json")
    guard let bytes = try slot.cache.contents(of: name, limit: sidecarByteLimit) else { return nil }
    let path = slot.path(position, "ndjson")
    do throws(JSONError) {
      let json = try JSONValue(parsing: bytes)
      if json["url"]?.stringValue == slot.key.url, json["stream"]?.stringValue == slot.key.stream,
        json["schema"]?.stringValue == slot.key.schema,
        json["from_id"]?.stringValue == position.id, let seq = json["seq"]?.integerValue,
        let id = json["id"]?.stringValue, let size = json["size"]?.integerValue,
        let digest = Self.digest(of: path, slot), digest.byteCount == size,
        digest.hexadecimal == json["sha256"]?.stringValue
      {
        return ClosedCheckpoint(
          from: position, to: StreamPosition(epoch: position.epoch, seq: seq, id: id),
          cursor: json["cursor"]?.stringValue, path: path, byteCount: size)
      }
    } catch {
      // Nothing here is truth: what cannot be read is as good as not there.
    }
    try slot.cache.remove(slot.cache.path(name))
    try slot.cache.remove(path)
    return nil
  }

  /// The file's digest; nil if it is not there or cannot be read.
  private static func digest(of path: String, _ slot: SpoolSlot) -> FileDigest? {
    do throws(FileError) {
      return try FileDigest.sha256(of: path, files: slot.cache.files)
    } catch {
      return nil
    }
  }

  /// Hands the file out to be applied: another run does not find it any more.
  ///
  /// What is applied and refused must not come back for ever; what a crash interrupts is fetched
  /// again.
  internal func handOut(_ slot: SpoolSlot) throws(FileError) -> SegmentFile {
    try slot.cache.remove(slot.path(from, "json"))
    return segmentFile
  }
}
