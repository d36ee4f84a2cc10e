internal import SeedFiles
internal import SeedStreams

/// The lines of a one-step segment behind its header, from which the id of the new checkpoint
/// follows: the header has it, so that it is written last.
final class SegmentBody {
  private let lines: LineSpool
  private var chain: CheckpointChain
  private(set) var rowCount: Int64 = 0

  init(after id: String, files: FileSystem) {
    lines = LineSpool(files: files)
    chain = CheckpointChain(after: id)
  }

  /// Adds a section, unless it has no rows.
  func append(_ section: SegmentSection, _ rows: LineSpool) throws {
    guard rows.rowCount > 0 else { return }
    var text = SegmentText()
    text.append(section)
    try append(text.bytes)
    try rows.forEachPiece { piece in
      chain.update(piece)
      try lines.append(piece, rowCount: 0)
    }
    rowCount += rows.rowCount
  }

  /// Ends the text.
  ///
  /// - Returns: The id of the new checkpoint.
  func finish() throws -> String {
    var text = SegmentText()
    text.countRows(rowCount)
    text.appendEnd()
    try append(text.bytes)
    return chain.id()
  }

  private func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { piece in
      chain.update(piece)
      try lines.append(piece, rowCount: 0)
    }
  }

  /// Writes the segment.
  ///
  /// - Returns: What the head says of it.
  func write(_ header: SegmentHeader, to object: StagedObject) throws -> SegmentWriter.Totals {
    let writer = SegmentWriter(header) { try object.write($0) }
    try lines.forEachPiece { try writer.append(lines: $0, rowCount: 0) }
    var totals = try writer.finish(hasEnd: true)
    totals.rows = rowCount
    return totals
  }
}
