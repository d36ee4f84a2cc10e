internal import SeedModel

/// Takes records apart and writes their fields into a batch, byte by byte at most once.
///
/// Works on pointers and knows nothing of sources, windows and places. Behind the last byte stand
/// eight line feeds, so that no loop over an unquoted field has to look for the end.
struct DelimitedScan {
  /// What ended a scan.
  enum End {
    /// The record is complete.
    case record
    /// The line is empty.
    case emptyLine
    /// The bytes end before the record does.
    case incomplete
    case unclosedQuote
    case bareQuote
    case textBehindQuote
  }

  private let delimiter: UInt8
  private let quote: UInt8
  private let delimiters: UInt64
  private let quotes: UInt64
  private let feeds = ByteWord.repeating(0x0A)
  private let returns = ByteWord.repeating(0x0D)

  /// Where the scan is.
  ///
  /// When it has stopped, what is wrong stands there, or the quote that no quote closes yet.
  var cursor: UnsafePointer<UInt8>
  /// Where the bytes end.
  let end: UnsafePointer<UInt8>
  /// Whether the text ends there.
  let isLast: Bool
  /// Where the next value goes.
  var output: UnsafeMutablePointer<UInt8>
  /// Where the next token goes.
  var words: UnsafeMutablePointer<UInt32>
  /// The number of the line, counted from 1.
  var line: UInt32
  /// How many fields the record has.
  private(set) var fieldCount = 0
  /// Where the field begins that has no column; nil when there is none.
  private(set) var surplus: UnsafePointer<UInt8>?

  init(
    delimiter: UInt8, quote: UInt8, cursor: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
    isLast: Bool, output: UnsafeMutablePointer<UInt8>, words: UnsafeMutablePointer<UInt32>,
    line: UInt32
  ) {
    self.delimiter = delimiter
    self.quote = quote
    delimiters = ByteWord.repeating(delimiter)
    quotes = ByteWord.repeating(quote)
    self.cursor = cursor
    self.end = end
    self.isLast = isLast
    self.output = output
    self.words = words
    self.line = line
  }

  /// Takes one record apart: a start, a field for each of the columns, an end.
  ///
  /// - Precondition: There is room for two words a column and three more, and for the rest of the
  ///   bytes and eight more.
  @inline(__always)
  mutating func record(columnCount: Int) -> End {
    guard cursor < end else { return .incomplete }
    let first = cursor.pointee
    if first == 0x0A || first == 0x0D { return endLine() ? .emptyLine : .incomplete }
    words[0] = DelimitedScan.recordPlace
    words[1] = line
    words += 2
    fieldCount = 0
    surplus = nil
    while true {
      let start = output
      if fieldCount == columnCount { surplus = cursor }
      // Without quotes it is NUL, which no text has.
      if cursor.pointee == quote {
        let end = quotedField()
        if end != .record { return end }
      } else {
        plainField()
      }
      if fieldCount < columnCount {
        words[0] = 1 << 30 | UInt32(truncatingIfNeeded: fieldCount)
        words[1] = UInt32(truncatingIfNeeded: output - start)
        words += 2
      }
      fieldCount += 1
      let terminator = cursor.pointee
      if terminator == delimiter {
        cursor += 1
        continue
      }
      if terminator == quote { return .bareQuote }
      guard endLine() else { return .incomplete }
      words[0] = 3 << 30
      words += 1
      return .record
    }
  }

  /// The place that the records are at, below the root.
  static var recordPlace: UInt32 { 1 }

  /// Copies a field without quotes and stops at what ends it.
  @inline(__always)
  private mutating func plainField() {
    while true {
      let word = ByteWord.load(cursor)
      ByteWord.store(word, to: output)
      let found =
        ByteWord.zeros(word ^ delimiters) | ByteWord.zeros(word ^ feeds)
        | ByteWord.zeros(word ^ returns) | ByteWord.zeros(word ^ quotes)
      guard found == 0 else {
        let count = ByteWord.lowestIndex(found)
        cursor += count
        output += count
        return
      }
      cursor += 8
      output += 8
    }
  }

  /// Copies a field in quotes and stops behind its closing quote; `record` when that is well.
  @inline(__always)
  private mutating func quotedField() -> End {
    let opening = cursor
    cursor += 1
    var breaks: UInt64 = 0
    while true {
      let word = ByteWord.load(cursor)
      ByteWord.store(word, to: output)
      let found = ByteWord.zeros(word ^ quotes)
      let lineEnds = ByteWord.zeros(word ^ feeds) | ByteWord.zeros(word ^ returns)
      guard found != 0 else {
        breaks |= lineEnds
        cursor += 8
        output += 8
        if cursor >= end { return unclosed(opening) }
        continue
      }
      // What stands before the quote only.
      breaks |= lineEnds & ((found & (0 &- found)) &- 1)
      let count = ByteWord.lowestIndex(found)
      cursor += count
      output += count
      if cursor >= end { return unclosed(opening) }
      if cursor + 1 == end, !isLast { return unclosed(opening) }
      guard cursor[1] == quote else { break }
      output.pointee = quote
      output += 1
      cursor += 2
      if cursor >= end { return unclosed(opening) }
    }
    if breaks != 0 { countLines(from: opening) }
    cursor += 1
    let next = cursor.pointee
    return next == delimiter || next == 0x0A || next == 0x0D ? .record : .textBehindQuote
  }

  private mutating func unclosed(_ opening: UnsafePointer<UInt8>) -> End {
    cursor = opening
    return isLast ? .unclosedQuote : .incomplete
  }

  /// Counts the line ends between the quotes of a field.
  private mutating func countLines(from start: UnsafePointer<UInt8>) {
    var previous: UInt8 = 0
    var position = start
    while position < cursor {
      let byte = position.pointee
      if byte == 0x0D || byte == 0x0A && previous != 0x0D { line &+= 1 }
      previous = byte
      position += 1
    }
  }

  /// Goes over the line end, or the end of the text, at the cursor; false when more bytes decide.
  @inline(__always)
  private mutating func endLine() -> Bool {
    if cursor == end {
      // The line feed behind the last byte.
      return isLast
    }
    if cursor.pointee == 0x0D {
      if cursor + 1 == end {
        guard isLast else { return false }
        cursor += 1
      } else {
        cursor += cursor[1] == 0x0A ? 2 : 1
      }
    } else {
      cursor += 1
    }
    line &+= 1
    return true
  }
}
