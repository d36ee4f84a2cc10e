package import SeedFiles
internal import SeedModel
package import SeedSQLite

/// Reads a segment piece by piece: its header, its sections with their rows, and its end.
///
/// Used by one thread at a time.
package final class SegmentReader {
  /// What comes next.
  package enum Event: Sendable, Hashable {
    case section(SegmentSection)
    /// A row of the section; its values are in ``SegmentReader/values``.
    case row
    /// The end, with the count of rows that was found to be right.
    case end(rowCount: Int64)
  }

  /// The first line.
  package let header: SegmentHeader
  private let lines: SegmentLines
  private var scanner = RowScanner(columnCount: 0)
  private var isInSection = false
  private var rowCount: Int64 = 0

  /// Opens a segment and reads its header.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - stream: The stream's name, which the header must have.
  ///   - files: The file system.
  /// - Throws: ``SegmentError``, ``SeedFiles/FileError``.
  package init(_ file: SegmentFile, stream: String, files: FileSystem = .live) throws {
    lines = try SegmentLines(
      path: file.path, encoding: file.encoding, plainByteCount: file.plainByteCount, files: files)
    guard let line = try lines.next() else { throw SegmentError("it is empty") }
    header = try SegmentHeader(line: line)
    try header.check(against: file, stream: stream)
  }

  /// The values of the row read last, until the next call; as many as the section has columns.
  package var values: UnsafePointer<BoundValue> { UnsafePointer(scanner.values) }

  /// The number of the line read last.
  package var lineNumber: Int { lines.lineNumber }

  /// Reads on.
  ///
  /// - Returns: What comes next; nothing follows the end.
  /// - Throws: ``SegmentError``, ``SeedFiles/FileError``.
  package func next() throws -> Event {
    guard let line = try lines.next() else {
      throw SegmentError("the end is missing", line: lines.lineNumber + 1)
    }
    if line.first == UInt8(ascii: "[") {
      guard isInSection else {
        throw SegmentError("a row stands outside of a section", line: lines.lineNumber)
      }
      do throws(RowScanner.Fault) {
        try scanner.scan(line)
      } catch {
        throw SegmentError(error.message, line: lines.lineNumber)
      }
      rowCount += 1
      return .row
    }
    guard line.first == UInt8(ascii: "{") else {
      throw SegmentError("it is neither a row nor a section", line: lines.lineNumber)
    }
    let json = try SegmentLine.object(line, number: lines.lineNumber)
    if let table = json["table"] { return .section(try section(json, table)) }
    if let end = json["end"] { return try takeEnd(end) }
    throw SegmentError("it is of an unknown kind", line: lines.lineNumber)
  }

  private func section(_ json: JSONValue, _ table: JSONValue) throws -> SegmentSection {
    let kinds: [SegmentSection.Kind] = [.delete, .upsert].filter {
      json[$0.rawValue] != nil
    }
    guard let table = table.stringValue, kinds.count == 1,
      let list = json[kinds[0].rawValue]?.arrayValue
    else { throw SegmentError("the section is malformed", line: lines.lineNumber) }
    let columns = list.compactMap(\.stringValue)
    guard columns.count == list.count, !columns.isEmpty, Set(columns).count == columns.count else {
      throw SegmentError("the section's columns are malformed", line: lines.lineNumber)
    }
    if scanner.columnCount != columns.count { scanner = RowScanner(columnCount: columns.count) }
    isInSection = true
    return SegmentSection(table: table, kind: kinds[0], columns: columns)
  }

  private func takeEnd(_ end: JSONValue) throws -> Event {
    let line = lines.lineNumber
    guard let count = end["rows"]?.integerValue else {
      throw SegmentError("the end does not say how many rows there are", line: line)
    }
    guard count == rowCount else {
      throw SegmentError("there are \(rowCount) rows, and the end says \(count)", line: line)
    }
    guard try lines.next() == nil else {
      throw SegmentError("something follows the end", line: line + 1)
    }
    return .end(rowCount: count)
  }
}

extension RowScanner.Fault {
  /// What is wrong, in words.
  internal var message: String {
    switch self {
    case .notARow: "it is no row"
    case .wrongValueCount: "there are not as many values as columns"
    case .badNumber: "a number is malformed"
    case .hugeNumber: "a number is too large"
    case .badString: "a string is not closed"
    case .badUTF8: "a string is no UTF-8"
    case .badEscape: "a string has an escape that stands for nothing"
    case .badBase64: "a blob is no Base64"
    case .badObject: "a value is an object of an unknown kind"
    case .unknownValue: "a value is of an unknown kind"
    case .tooLong: "it has more than \(SegmentLimits.rowBytes) bytes"
    }
  }
}
