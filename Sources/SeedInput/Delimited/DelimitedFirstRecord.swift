internal import SeedModel

/// The first record of a text, taken apart before it is known how many fields a record has.
struct DelimitedFirstRecord {
  /// The values of its fields.
  let values: [String]
  /// How many bytes it takes, with its line end.
  let byteCount: Int
  /// The line of the record behind it.
  let nextLine: UInt32
  private let delimiter: UInt8
  private let quote: UInt8

  /// Reads the record that is next, and leaves the text where it is.
  ///
  /// - Throws: ``InputError``.
  init(of text: inout DelimitedText, delimiter: UInt8, quote: UInt8) throws {
    self.delimiter = delimiter
    self.quote = quote
    var batch = TokenBatch()
    defer { batch.deallocate() }
    let mostColumns = InputLimits.attributesPerElement
    while true {
      batch.reserve(words: 2 * mostColumns + 3, bytes: text.count + 16)
      var scan = text.scan(into: batch, delimiter: delimiter, quote: quote)
      let kept = text.putSentinel()
      let end = scan.record(columnCount: mostColumns)
      text.removeSentinel(kept)
      if end == .incomplete {
        let isOpen = scan.cursor < scan.end && scan.cursor.pointee == quote
        try text.readMore(
          contentCount: scan.output - batch.bytes, openQuote: isOpen ? scan.cursor : nil)
        continue
      }
      if end != .record {
        throw text.error(end.reason(at: scan.cursor, in: text, quote), at: scan.cursor)
      }
      if let surplus = scan.surplus {
        throw text.error(
          .tooMany(what: "columns", limit: InputLimits.columnsPerTable), at: surplus)
      }
      batch.wordCount = scan.words - batch.words
      values = DelimitedFirstRecord.values(of: batch)
      byteCount = scan.cursor - UnsafePointer(text.start)
      nextLine = scan.line
      return
    }
  }

  private static func values(of batch: TokenBatch) -> [String] {
    var values: [String] = []
    var offset = 0
    // Two words for the start and for each field, then one for the end.
    for word in stride(from: 3, to: batch.wordCount - 1, by: 2) {
      let count = Int(batch.words[word])
      values.append(
        String(
          decoding: UnsafeBufferPointer(start: batch.bytes + offset, count: count), as: UTF8.self))
      offset += count
    }
    return values
  }

  /// Sees that the values can be the names of columns.
  ///
  /// - Throws: ``InputError``.
  func checkNames(in text: inout DelimitedText) throws {
    guard let (reason, index) = DelimitedFirstRecord.fault(in: values) else { return }
    let start = fieldStart(index, in: text)
    throw text.error(reason, at: start)
  }

  /// What keeps these from being the names of columns, and which of them: an empty name, one that
  /// is too long, and one that another column has.
  static func fault(in names: [String]) -> (reason: InputError.Reason, index: Int)? {
    var numbers: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      if name.isEmpty { return (.delimited(.emptyName(column: index + 1)), index) }
      if name.utf8.count > InputLimits.nameBytes {
        return (.tooLong(what: "a name", limit: InputLimits.nameBytes), index)
      }
      if let first = numbers.updateValue(index, forKey: folded(name)) {
        return (.delimited(.duplicateName(name, first: first + 1, second: index + 1)), index)
      }
    }
    return nil
  }

  /// The name as SQLite compares it, spelt out: equal strings in Swift may differ for SQLite.
  private static func folded(_ name: String) -> String {
    name.utf8.map { byte in
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      return String(isUpper ? byte | 0x20 : byte)
    }.joined(separator: " ")
  }

  /// Where a field of the record begins.
  private func fieldStart(_ number: Int, in text: DelimitedText) -> UnsafePointer<UInt8> {
    let bytes = UnsafeBufferPointer(start: text.start, count: byteCount)
    var isQuoted = false
    var passed = 0
    for (index, byte) in bytes.enumerated() {
      if passed == number { return UnsafePointer(text.start + index) }
      if byte == quote { isQuoted.toggle() }
      if byte == delimiter, !isQuoted { passed += 1 }
    }
    return UnsafePointer(text.start + byteCount)
  }
}
