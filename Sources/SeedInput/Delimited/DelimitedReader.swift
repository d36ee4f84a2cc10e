internal import SeedModel

/// Reads delimited text (CSV after RFC 4180, TSV) and gives it out as token batches.
///
/// Each line is an element at a place below the root, both called after the file, with a field for
/// each column; an empty field, in quotes or not, has an empty value. A line ends with LF, CRLF or
/// CR. Empty lines are no records, but in a text of one column, where they are empty values, save
/// at the end.
enum DelimitedReader {
  /// Reads `source` to its end.
  ///
  /// - Parameters:
  ///   - source: The text's bytes, in any encoding, not packed.
  ///   - settings: How to read it.
  ///   - pieceByteCount: How many bytes are looked at together, which changes nothing in what is
  ///     read.
  ///   - firstBatch: The batch to fill first.
  ///   - deliver: Takes a complete batch and gives an empty one, or nil to stop the reading.
  /// - Returns: What there is to know besides the tokens.
  /// - Throws: ``InputError``, or ``InputErrors`` when several records are wrong.
  static func read(
    _ source: any ByteSource, settings: ReaderSettings,
    pieceByteCount: Int = TextWindow.readByteCount, firstBatch: TokenBatch,
    deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws -> ReaderOutcome {
    var batch = firstBatch
    defer { batch.deallocate() }
    let decoded = try DelimitedTextSource.open(
      source, name: settings.name, encoding: settings.encoding,
      hasQuotes: settings.layout.quote ?? UInt8(ascii: "\"") == UInt8(ascii: "\""))
    var text = DelimitedText(decoded, name: settings.name, pieceByteCount: pieceByteCount)
    defer { text.deallocate() }
    let header = try DelimitedHeader(of: &text, settings: settings)
    var parse = DelimitedParse(header: header, settings: settings, deliver: deliver)
    return try parse.run(&text, &batch)
  }
}
