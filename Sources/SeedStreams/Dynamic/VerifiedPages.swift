internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// The pages of a checkpoint that has not been closed yet, each of which matched its digest: a file
/// with their lines, and a sidecar that says where each ends and how to go on behind it.
internal final class VerifiedPages {
  /// What is known at the end of a page.
  internal struct Mark: Sendable, Hashable {
    /// Where the page ends in the file.
    internal var end: Int64
    /// The rows up to there.
    internal var rows: Int64
    /// What the server wants to be given back to go on from there.
    internal var cursor: String
    /// The line that opened the section which is open there.
    internal var section: [UInt8]
    /// The SHA-256 of the page's bytes in the file.
    internal var sha256: String
  }

  private let slot: SpoolSlot
  internal let position: StreamPosition
  private var text: PartFile
  private var marks: PartFile
  /// The last page; nil while there is none.
  internal private(set) var last: Mark?

  /// The most bytes of a sidecar.
  private static let sidecarByteLimit = 32 << 20

  /// Finds the pages that lead on from a position, those that are still what they were.
  ///
  /// - Throws: ``SeedFiles/FileError``.
  internal init(_ slot: SpoolSlot, after position: StreamPosition) throws {
    self.slot = slot
    self.position = position
    text = try Self.open(slot, position, "part")
    marks = try Self.open(slot, position, "pages")
    let (found, isClean) = try readMarks()
    var valid: [Mark] = []
    for mark in found {
      guard try isWhole(mark, after: valid.last?.end ?? 0) else { break }
      valid.append(mark)
    }
    last = valid.last
    guard !isClean || valid.count != found.count || text.byteCount != last?.end ?? 0 else { return }
    try rebuild(valid)
  }

  private static func open(
    _ slot: SpoolSlot, _ position: StreamPosition, _ suffix: String
  ) throws(FileError) -> PartFile {
    let path = slot.path(position, suffix)
    guard let file = try PartFile(at: path, files: slot.cache.files) else {
      throw FileError(.flock, path, code: FileError.busy)
    }
    return file
  }

  private var textPath: String { slot.path(position, "part") }

  /// The first line of the sidecar: what the pages are of.
  private var title: [UInt8] {
    Self.line([
      "url": .string(slot.key.url), "stream": .string(slot.key.stream),
      "schema": .string(slot.key.schema), "id": .string(position.id),
    ])
  }

  private static func line(_ object: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONBytes.append(object, to: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }

  private static func line(of mark: Mark) -> [UInt8] {
    line([
      "end": .integer(mark.end), "rows": .integer(mark.rows), "cursor": .string(mark.cursor),
      "section": .string(String(decoding: mark.section, as: UTF8.self)),
      "sha256": .string(mark.sha256),
    ])
  }

  /// The marks of the sidecar, and whether it holds nothing else.
  private func readMarks() throws(FileError) -> (marks: [Mark], isClean: Bool) {
    let bytes = try slot.cache.contents(
      of: slot.name(position, "pages"), limit: Self.sidecarByteLimit)
    guard let bytes, !bytes.isEmpty else { return ([], false) }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last line feed has nothing behind it; a line without one was not written whole.
    guard lines.count >= 2, lines[0] == title.dropLast() else { return ([], false) }
    var marks: [Mark] = []
    for line in lines[1..<(lines.count - 1)] {
      guard let mark = Self.mark(Array(line)) else { return (marks, false) }
      marks.append(mark)
    }
    return (marks, lines.last?.isEmpty ?? false)
  }

  private static func mark(_ line: [UInt8]) -> Mark? {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: line)
    } catch {
      return nil
    }
    guard let end = json["end"]?.integerValue, let rows = json["rows"]?.integerValue,
      let cursor = json["cursor"]?.stringValue, let section = json["section"]?.stringValue,
      let sha256 = json["sha256"]?.stringValue
    else { return nil }
    return Mark(end: end, rows: rows, cursor: cursor, section: Array(section.utf8), sha256: sha256)
  }

  /// Whether the file still holds a page as it was verified.
  private func isWhole(_ mark: Mark, after start: Int64) throws -> Bool {
    guard mark.end >= start, mark.end <= text.byteCount else { return false }
    var digest = SHA256Digest()
    try forEachPiece(start..<mark.end) { digest.update($0) }
    return digest.hexadecimal() == mark.sha256
  }

  /// Hands over a part of the file with the lines, in pieces.
  internal func forEachPiece(
    _ range: Range<Int64>? = nil, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let files = slot.cache.files
    var offset = range?.lowerBound ?? 0
    let end = range?.upperBound ?? last?.end ?? 0
    let descriptor = try files.open(textPath, .read)
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while offset < end {
      let room = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<Int(min(Int64(buffer.count), end - offset))])
      let count = try files.readAt(descriptor, textPath, room, offset)
      guard count > 0 else { throw FileError(.read, textPath, code: FileError.inputOutput) }
      try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
      offset += Int64(count)
    }
  }

  /// Leaves only pages that are whole: files cannot be shortened, so new ones take their places.
  private func rebuild(_ valid: [Mark]) throws {
    guard let end = valid.last?.end else { return try removeAll() }
    let (newText, newMarks) = (
      try Self.open(slot, position, "part.new"), try Self.open(slot, position, "pages.new")
    )
    try newText.removeAllBytes()
    try newMarks.removeAllBytes()
    try forEachPiece(0..<end) { try newText.append($0) }
    try (title + valid.flatMap { Self.line(of: $0) }).lend { (bytes) throws(FileError) in
      try newMarks.append(bytes)
    }
    try newText.rename(to: textPath)
    try newMarks.rename(to: slot.path(position, "pages"))
    // Their own names are of the past, but the locks and the counts are those of the new files.
    text = newText
    marks = newMarks
  }

  /// Adds a page that matched its digest.
  ///
  /// - Parameters:
  ///   - page: Its lines.
  ///   - rows: All rows up to its end.
  ///   - cursor: How to go on behind it.
  ///   - section: The line that opened the section which is open at its end.
  /// - Throws: ``SeedFiles/FileError``.
  internal func append(
    _ page: PageBuffer, rows: Int64, cursor: String, section: [UInt8]
  ) throws(FileError) {
    var digest = SHA256Digest()
    try page.forEachPiece { (bytes) throws(FileError) in
      digest.update(bytes)
      try text.append(bytes)
    }
    let mark = Mark(
      end: text.byteCount, rows: rows, cursor: cursor, section: section,
      sha256: digest.hexadecimal())
    let line = marks.byteCount == 0 ? title + Self.line(of: mark) : Self.line(of: mark)
    try line.lend { (bytes) throws(FileError) in try marks.append(bytes) }
    last = mark
  }

  /// Forgets all pages.
  internal func removeAll() throws(FileError) {
    last = nil
    try marks.removeAllBytes()
    try text.removeAllBytes()
  }

  /// Deletes the files; the value must not be used afterwards.
  internal func remove() throws(FileError) {
    last = nil
    try slot.cache.remove(slot.path(position, "pages"))
    try slot.cache.remove(slot.path(position, "part"))
  }
}
