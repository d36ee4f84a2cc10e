package import SeedModel
package import SeedSQLite

/// The lines of a segment in UTF-8, each with its line feed, as they gather.
///
/// Whoever collects them takes the bytes away from time to time.
package struct SegmentText {
  /// A value that no segment can carry.
  package enum Failure: Error, Sendable, Hashable {
    /// A text that is not UTF-8, in the column of that number, from 0.
    case invalidText(column: Int)
  }

  /// What has gathered since it was last taken away.
  package var bytes: [UInt8] = []
  /// The rows so far.
  package private(set) var rowCount: Int64 = 0

  /// No lines yet.
  package init() {}

  /// Adds the first line.
  package mutating func append(_ header: SegmentHeader) {
    appendLine([
      "segment": .integer(SegmentHeader.currentFormat), "stream": .string(header.stream),
      "epoch": .integer(header.epoch), "from": .integer(header.from), "to": .integer(header.to),
      "ids": .array(header.ids.map { .string($0) }),
    ])
  }

  /// Adds a line that opens a section.
  package mutating func append(_ section: SegmentSection) {
    appendLine(
      .object([
        JSONValue.Member("table", .string(section.table)),
        JSONValue.Member(section.kind.rawValue, .array(section.columns.map { .string($0) })),
      ]))
  }

  /// Adds the last line, with the rows counted so far.
  package mutating func appendEnd() {
    appendLine(["end": ["rows": .integer(rowCount)]])
  }

  /// Adds a line with an object.
  ///
  /// - Parameter object: The object.
  package mutating func appendLine(_ object: JSONValue) {
    JSONBytes.append(object, to: &bytes)
    bytes.append(0x0A)
  }

  /// Adds a row.
  ///
  /// - Parameter values: A value for each column of the section.
  /// - Throws: ``Failure``; the row is then not added.
  package mutating func appendRow(_ values: [SQLiteValue]) throws(Failure) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard value.withCell({ Self.append($0, to: &bytes) }) else {
        bytes.removeLast(bytes.count - start)
        throw .invalidText(column: index)
      }
    }
    endRow()
  }

  /// Adds the current row of a query.
  ///
  /// - Parameters:
  ///   - statement: The query, at a row.
  ///   - columns: Which columns of the query, in the order of the section's.
  /// - Throws: ``Failure``; the row is then not added.
  package mutating func appendRow(
    of statement: Statement, columns: Range<Int32>
  ) throws(Failure) {
    try appendRow(count: columns.count) { statement.cell(columns.lowerBound + Int32($0)) }
  }

  /// Adds a row of values where they lie.
  ///
  /// - Parameters:
  ///   - count: How many values the row has.
  ///   - cell: Gives a value by its number, from 0.
  /// - Throws: ``Failure``; the row is then not added.
  package mutating func appendRow(count: Int, _ cell: (Int) -> StoredCell) throws(Failure) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      guard Self.append(cell(index), to: &bytes) else {
        bytes.removeLast(bytes.count - start)
        throw .invalidText(column: index)
      }
    }
    endRow()
  }

  /// Adds a row that was encoded before, without its line feed.
  ///
  /// - Parameter line: The row's text.
  package mutating func appendRow(encoded line: some Collection<UInt8>) {
    bytes.append(contentsOf: line)
    bytes.append(0x0A)
    rowCount += 1
  }

  /// Counts rows whose text goes another way.
  ///
  /// - Parameter count: How many.
  package mutating func countRows(_ count: Int64) { rowCount += count }

  private mutating func endRow() {
    bytes.append(UInt8(ascii: "]"))
    bytes.append(0x0A)
    rowCount += 1
  }

  /// Adds a value; false for a text that is not UTF-8.
  private static func append(_ cell: StoredCell, to bytes: inout [UInt8]) -> Bool {
    switch cell {
    case .null: bytes.append(contentsOf: nullText)
    case .integer(let value): append(value, to: &bytes)
    case .real(let value): append(value, to: &bytes)
    case .text(let text): return JSONBytes.appendString(text, to: &bytes)
    case .blob(let blob): append(blob, to: &bytes)
    }
    return true
  }

  private static let nullText = Array("null".utf8)
  private static let blobStart = Array("{\"b\":\"".utf8)
  private static let valueEnd = Array("\"}".utf8)

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    if (0..<10).contains(value) {
      bytes.append(UInt8(ascii: "0") + UInt8(value))
      return
    }
    // Backwards: 19 digits and a sign at most.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var index = 20
      var rest = value.magnitude
      repeat {
        index -= 1
        digits[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        index -= 1
        digits[index] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[index..<20]))
    }
  }

  /// Adds a number that reads as no integer: with a point or an exponent.
  private static func append(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else {
      // SQLite stores no NaN.
      bytes.append(contentsOf: Array("{\"r\":\"\(value < 0 ? "-" : "")inf\"}".utf8))
      return
    }
    bytes.append(contentsOf: value.description.utf8)
  }

  private static func append(_ blob: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: blobStart)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Base64.encodedCount(blob.count)))
    bytes.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      Base64.encode(blob.bindMemory(to: UInt8.self), into: base + start)
    }
    bytes.append(contentsOf: valueEnd)
  }
}
