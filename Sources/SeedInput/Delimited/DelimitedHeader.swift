internal import SeedModel

/// What the first line of a delimited text says: delimiter and columns.
struct DelimitedHeader {
  /// The character between the fields.
  let delimiter: UInt8
  /// The character around fields; NUL for none.
  let quote: UInt8
  /// The names of the columns, at least one.
  let names: [String]
  /// What says how many there are.
  let columns: DelimitedFault.Columns
  /// The line of the header, or of the first record.
  let line: UInt32
  /// What there is to say about the delimiter.
  private(set) var remarks: [Diagnostic] = []

  private static let usualQuote = UInt8(ascii: "\"")

  /// Reads the header, if there is one, and leaves the text at the first record.
  ///
  /// - Throws: ``InputError``.
  init(of text: inout DelimitedText, settings: ReaderSettings) throws {
    let layout = settings.layout
    quote = layout.quote ?? DelimitedHeader.usualQuote
    try DelimitedHeader.skipEmptyLines(of: &text)
    let declared = layout.delimiter ?? (settings.format == .tsv ? 0x09 : nil)
    if let declared {
      delimiter = declared
    } else {
      let guess = try DelimitedHeader.guess(in: &text, quote: quote)
      delimiter = guess.delimiter
      if let other = guess.other {
        remarks.append(
          DelimitedHeader.doubt(guess.delimiter, other, line: text.line, name: settings.name))
      }
    }
    line = text.line
    let record = try DelimitedFirstRecord(of: &text, delimiter: delimiter, quote: quote)
    if let given = layout.columnNames {
      if let (reason, _) = DelimitedFirstRecord.fault(in: given) {
        throw text.error(reason, at: text.start)
      }
      names =
        given.isEmpty ? (1...record.values.count).map(DelimitedHeader.columnName) : given
      columns = given.isEmpty ? .firstRecord(line: Int(line)) : .declared
    } else {
      try record.checkNames(in: &text)
      names = record.values
      columns = .header(line: Int(line))
      text.move(to: text.start + record.byteCount, line: record.nextLine)
    }
  }

  /// What SQLite calls columns that nobody named, as those of VALUES.
  private static func columnName(_ number: Int) -> String { "column\(number)" }

  private static func skipEmptyLines(of text: inout DelimitedText) throws {
    while true {
      let start = text.start
      let isPair = text.count > 1 && start[0] == 0x0D && start[1] == 0x0A
      if text.count > 1 || text.count == 1 && text.isLast {
        guard start[0] == 0x0A || start[0] == 0x0D else { return }
        text.move(to: start + (isPair ? 2 : 1), line: text.line + 1)
      } else if text.isLast {
        throw text.emptyError
      } else {
        try text.readMore()
      }
    }
  }

  private static func guess(
    in text: inout DelimitedText, quote: UInt8
  ) throws -> DelimiterGuess {
    while true {
      let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
      if let guess = DelimiterGuess.guess(bytes, quote: quote) { return guess }
      if text.isLast || text.count > InputLimits.rowBytes {
        // If a quote is not closed, the scan of the header says so.
        let line = Array(bytes) + [0x0A]
        return DelimiterGuess.guess(line, quote: quote) ?? .comma
      }
      try text.readMore()
    }
  }

  private static func doubt(
    _ delimiter: UInt8, _ other: UInt8, line: UInt32, name: String
  ) -> Diagnostic {
    Diagnostic(
      .note,
      "the delimiter is taken to be \(DelimitedFault.spelled(delimiter)), although the first line"
        + " has \(DelimitedFault.spelled(other)) too",
      at: SourceLocation(file: name, line: Int(line)), hint: "say which with --delimiter")
  }
}
