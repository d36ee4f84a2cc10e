import SeedSQLite

/// A value as a difference shows it: copied out of its row, a long one in part.
package enum DiffValue: Sendable, Hashable {
  /// A part of a text or blob, or all of it.
  package struct Excerpt<Content: Sendable & Hashable>: Sendable, Hashable {
    /// The part.
    package var content: Content
    /// How many bytes come before the part.
    package var offset: Int
    /// How many bytes come after the part.
    package var rest: Int
    /// How many bytes there are in all; those of a text in UTF-8.
    package var byteCount: Int

    /// Whether nothing is missing.
    package var isWhole: Bool { offset == 0 && rest == 0 }
  }

  case null
  case integer(Int64)
  case real(Double)
  case text(Excerpt<String>)
  case blob(Excerpt<[UInt8]>)

  /// Longer texts and blobs are shown in part.
  static let longestByteCount = 80
  /// How much is shown before the first difference of two long values.
  private static let leadByteCount = 20

  /// Copies the value of a row.
  ///
  /// - Parameters:
  ///   - statement: The statement, at the row.
  ///   - column: The column.
  ///   - difference: The first byte that matters, which a shortened value shows.
  init(_ statement: Statement, _ column: Int32, showing difference: Int = 0) {
    switch statement.columnType(column) {
    case .null: self = .null
    case .integer: self = .integer(statement.integer(column))
    case .real: self = .real(statement.real(column))
    case .text:
      self = statement.withTextBytes(column) { bytes in
        let range = Self.range(of: bytes, showing: difference, isText: true)
        return .text(
          Excerpt(
            content: String(decoding: bytes[range], as: UTF8.self), offset: range.lowerBound,
            rest: bytes.count - range.upperBound, byteCount: bytes.count))
      }
    case .blob:
      self = statement.withBlobBytes(column) { raw in
        let bytes = raw.bindMemory(to: UInt8.self)
        let range = Self.range(of: bytes, showing: difference, isText: false)
        return .blob(
          Excerpt(
            content: Array(bytes[range]), offset: range.lowerBound,
            rest: bytes.count - range.upperBound, byteCount: bytes.count))
      }
    }
  }

  /// The two values of one column, with the parts in which they differ.
  static func pair(_ old: Statement, _ new: Statement, _ column: Int32) -> (DiffValue, DiffValue) {
    let place = StoredValue.firstDifference(old, new, column)
    return (
      DiffValue(old, column, showing: place), DiffValue(new, column, showing: place)
    )
  }

  /// The bytes to show: all of a short value, else some from shortly before the difference on.
  private static func range(
    of bytes: UnsafeBufferPointer<UInt8>, showing difference: Int, isText: Bool
  ) -> Range<Int> {
    guard bytes.count > longestByteCount else { return 0..<bytes.count }
    var start = max(0, min(difference, bytes.count) - leadByteCount)
    var end = min(bytes.count, start + longestByteCount)
    guard isText else { return start..<end }
    // No character is cut in two.
    while start > 0, isContinuation(bytes[start]) { start -= 1 }
    while end > start, end < bytes.count, isContinuation(bytes[end]) { end -= 1 }
    return start..<end
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
