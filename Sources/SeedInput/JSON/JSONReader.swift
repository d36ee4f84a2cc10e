internal import SeedModel

/// Reads JSON (RFC 8259), one text a file or one a line, and gives it out as token batches.
enum JSONReader {
  /// Reads `source` to its end.
  ///
  /// - Parameters:
  ///   - source: The text's bytes, in any encoding, not packed.
  ///   - settings: How to read it; the format says whether each line is a text of its own.
  ///   - findings: What earlier readings of the same input have found.
  ///   - pieceByteCount: How much is read at a time, which changes nothing in what is read.
  ///   - firstBatch: The batch to fill first.
  ///   - deliver: Takes a complete batch and gives an empty one, or nil to stop the reading.
  /// - Returns: What there is to know besides the tokens.
  /// - Throws: ``InputError``, at the first thing that is wrong; ``StructureRevised``.
  static func read(
    _ source: any ByteSource, settings: ReaderSettings, findings: StructureFindings,
    pieceByteCount: Int = TextWindow.readByteCount, firstBatch: TokenBatch,
    deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws -> ReaderOutcome {
    findings.startReading()
    let tokenizer: ObjectTokenizer
    let text: any ByteSource
    do {
      text = try JSONTextSource.open(
        source, name: settings.name, encoding: settings.encoding)
      tokenizer = try ObjectTokenizer(
        settings, findings: findings, firstBatch: firstBatch, deliver: deliver)
    } catch {
      firstBatch.deallocate()
      guard case ObjectFailure.limit(let reason) = error else { throw error }
      throw InputError(reason, at: SourceLocation(file: settings.name))
    }
    let parse = UnsafeMutablePointer<JSONParse>.allocate(capacity: 1)
    parse.initialize(
      to: JSONParse(
        text, settings: settings, pieceByteCount: pieceByteCount, tokenizer: tokenizer))
    defer {
      parse.pointee.deallocate()
      parse.deinitialize(count: 1)
      parse.deallocate()
    }
    var outcome = ReaderOutcome()
    outcome.wasCancelled = try parse.pointee.run()
    if findings.isRevised { throw StructureRevised() }
    return outcome
  }
}
