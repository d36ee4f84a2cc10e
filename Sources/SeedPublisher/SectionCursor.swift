internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// Goes through the rows of one kind in a segment, table by table, in the order of the tables.
///
/// The rows of the other kind are passed over, so that two cursors see both in step.
final class SectionCursor {
  /// The checkpoint that the segment leads to, by which later ones outdo earlier ones.
  let to: Int64
  let kind: SegmentSection.Kind
  private let reader: SegmentReader
  private let object: StoredObject
  /// The section whose rows come next; nil at the end.
  private(set) var section: SegmentSection?
  private(set) var hasRow = false
  /// Where in a row the columns that were asked for stand; nil for one that the rows lack.
  private(set) var places: [Int?] = []

  /// Opens a segment before its first row.
  init(_ object: StoredObject, kind: SegmentSection.Kind, stream: String, files: FileSystem) throws
  {
    self.object = object
    self.kind = kind
    to = object.file.to
    reader = try Self.reading(object) {
      try SegmentReader(object.file, stream: stream, files: files)
    }
    try advanceToSection()
  }

  /// The ids of the segment's checkpoints.
  var ids: [String] { reader.header.ids }

  /// Goes to the rows of a table, if the segment has some of this kind.
  ///
  /// Tables are asked for in the order of their names.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - columns: The columns that ``cell(_:)`` will give.
  /// - Returns: Whether there are rows.
  /// - Throws: ``StreamPublishError``.
  func begin(_ table: String, columns: [String]) throws -> Bool {
    while let section, section.table.utf8.lexicographicallyPrecedes(table.utf8) {
      while hasRow { try advance() }
      try advanceToSection()
    }
    guard let section, section.table == table else { return false }
    places = columns.map { section.columns.firstIndex(of: $0) }
    return hasRow
  }

  /// A value of the current row, by the number of the column that was asked for.
  @inline(__always)
  func cell(_ index: Int) -> StoredCell {
    guard let place = places[index] else { return .null }
    return StoredCell(reader.values[place])
  }

  /// Whether rows have all columns that were asked for.
  var isComplete: Bool { !places.contains(nil) }

  /// Goes to the next row of the section.
  func advance() throws {
    switch try next() {
    case .row: hasRow = true
    case .section(let section):
      hasRow = false
      following = section
    case .end:
      hasRow = false
      isAtEnd = true
    }
  }

  private var following: SegmentSection?
  private var isAtEnd = false

  /// Goes on to the next section of this kind that has rows.
  private func advanceToSection() throws {
    let last = section?.table
    section = nil
    while !isAtEnd {
      while following == nil, !isAtEnd { try advance() }
      guard let found = following else { return }
      following = nil
      guard found.kind == kind else { continue }
      // The merge relies on the order.
      if let last, !last.utf8.lexicographicallyPrecedes(found.table.utf8) {
        throw unusable("has its tables in no order that could be merged")
      }
      try advance()
      guard hasRow else { continue }
      section = found
      return
    }
  }

  private func next() throws -> SegmentReader.Event {
    try Self.reading(object) { try reader.next() }
  }

  private func unusable(_ why: String) -> StreamPublishError {
    StreamPublishError(.unusableObject(sha256: object.sha256, why), path: object.file.path)
  }

  private static func reading<Result>(
    _ object: StoredObject, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SegmentError {
      throw StreamPublishError(
        .unusableObject(sha256: object.sha256, "is no segment: \(error)"),
        path: object.file.path)
    } catch let error as FileError {
      throw StreamPublishError(.file(error), path: error.path)
    }
  }
}
