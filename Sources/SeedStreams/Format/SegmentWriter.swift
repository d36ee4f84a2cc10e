internal import SeedFiles
internal import SeedFormat
package import SeedSQLite

/// Writes a segment object piece by piece: gzip over the lines of ``SegmentText``.
///
/// Memory is bounded by the longest row. The same lines give the same bytes.
package final class SegmentWriter {
  /// What the head has to say about a finished object.
  package struct Totals: Sendable, Hashable {
    /// The SHA-256 of the stored bytes, 64 hexadecimal digits in lower case.
    package var sha256: String
    /// The SHA-256 of the text within.
    package var plainSHA256: String
    /// The length of the stored object in bytes.
    package var size: Int64
    /// The length of the text within in bytes.
    package var plainSize: Int64
    /// The rows of all sections.
    package var rows: Int64
  }

  private static let pieceLimit = 1 << 16

  private var text = SegmentText()
  private let packing: DigestingGzip

  /// Starts with the header.
  ///
  /// - Parameters:
  ///   - header: The first line.
  ///   - output: Takes the stored bytes, piece by piece.
  package init(
    _ header: SegmentHeader, output: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) {
    packing = DigestingGzip(output: output)
    text.append(header)
  }

  /// Opens a section.
  ///
  /// - Parameter section: What its rows are; the deletes of a table come before its upserts.
  /// - Throws: What the output throws.
  package func begin(_ section: SegmentSection) throws {
    text.append(section)
    try flush(above: Self.pieceLimit)
  }

  /// Adds a row to the open section.
  ///
  /// - Parameter values: A value for each column; rows are sorted by key.
  /// - Throws: ``SegmentText/Failure``, or what the output throws.
  package func appendRow(_ values: [SQLiteValue]) throws {
    try text.appendRow(values)
    try flush(above: Self.pieceLimit)
  }

  /// Adds the current row of a query to the open section.
  ///
  /// - Parameters:
  ///   - statement: The query, at a row.
  ///   - columns: Which columns of the query, in the order of the section's.
  /// - Throws: ``SegmentText/Failure``, or what the output throws.
  package func appendRow(of statement: Statement, columns: Range<Int32>) throws {
    try text.appendRow(of: statement, columns: columns)
    try flush(above: Self.pieceLimit)
  }

  /// Adds a row that was encoded before, without its line feed.
  ///
  /// - Parameter line: The row's text.
  /// - Throws: What the output throws.
  package func appendRow(encoded line: some Collection<UInt8>) throws {
    text.appendRow(encoded: line)
    try flush(above: Self.pieceLimit)
  }

  /// Adds whole lines that were encoded before.
  ///
  /// - Parameters:
  ///   - lines: The lines, or a part of them, in their order.
  ///   - rowCount: The rows among them.
  /// - Throws: What the output throws.
  package func append(lines: UnsafeRawBufferPointer, rowCount: Int64) throws {
    try flush(above: 0)
    text.countRows(rowCount)
    try packing.append(lines)
  }

  /// Ends the segment.
  ///
  /// - Parameter hasEnd: Whether the lines added before contain the last one.
  /// - Returns: What the head says of the object.
  /// - Throws: What the output throws.
  package func finish(hasEnd: Bool = false) throws -> Totals {
    if !hasEnd { text.appendEnd() }
    try flush(above: 0)
    let sums = try packing.finish()
    return Totals(
      sha256: sums.sha256, plainSHA256: sums.plainSHA256, size: sums.size,
      plainSize: sums.plainSize, rows: text.rowCount)
  }

  private func flush(above limit: Int) throws {
    guard text.bytes.count > limit else { return }
    try text.bytes.withUnsafeBytes { try packing.append($0) }
    text.bytes.removeAll(keepingCapacity: true)
  }
}
