internal import SeedSQLite
internal import SeedStreams

/// Rows as lines of a segment.
enum RowLine {
  /// A row as a line without its LF.
  ///
  /// - Throws: ``StreamPublishError`` for a value that no segment carries.
  static func encoded(
    count: Int, of table: StreamTable, path: String, _ cell: (Int) -> StoredCell
  ) throws(StreamPublishError) -> [UInt8] {
    var text = SegmentText()
    try append(to: &text, count: count, of: table, path: path, cell)
    text.bytes.removeLast()
    return text.bytes
  }

  /// Adds a row.
  ///
  /// - Throws: ``StreamPublishError`` for a value that no segment carries.
  static func append(
    to text: inout SegmentText, count: Int, of table: StreamTable, path: String,
    _ cell: (Int) -> StoredCell
  ) throws(StreamPublishError) {
    let start = text.bytes.count
    do throws(SegmentText.Failure) {
      try text.appendRow(count: count, cell)
    } catch {
      guard case .invalidText(let column) = error else { return }
      throw StreamPublishError(
        .invalidText(
          table: table.name, column: table.columns[column].name, key: shownKey(of: table, cell)),
        path: path)
    }
    // Base64 takes a third more than the bytes that count.
    if text.bytes.count - start > SegmentLimits.rowBytes {
      let size = (0..<count).reduce(0) { $0 + byteCount(of: cell($1)) }
      if size > SegmentLimits.rowBytes || text.bytes.count - start > SegmentLimits.lineBytes {
        throw StreamPublishError(
          .rowTooLong(table: table.name, key: shownKey(of: table, cell)), path: path)
      }
    }
  }

  /// A key for messages.
  static func shownKey(of table: StreamTable, _ cell: (Int) -> StoredCell) -> String {
    (0..<table.key.count).map { cell($0).shown }.joined(separator: ", ")
  }

  private static func byteCount(of cell: StoredCell) -> Int {
    switch cell {
    case .text(let bytes), .blob(let bytes): bytes.count
    default: 0
    }
  }
}
