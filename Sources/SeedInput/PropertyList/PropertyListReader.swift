internal import SeedModel

/// Reads property lists, binary ones and those in XML, and gives them out as token batches.
enum PropertyListReader {
  /// What turns any property list into one that is read.
  static let conversionHint = "convert it with \"plutil -convert xml1\""

  /// Reads `source` to its end.
  ///
  /// - Parameters:
  ///   - source: The property list's bytes, not packed.
  ///   - settings: How to read it.
  ///   - findings: What earlier readings of the same input have found.
  ///   - firstBatch: The batch to fill first.
  ///   - deliver: Takes a complete batch and gives an empty one, or nil to stop the reading.
  /// - Returns: What there is to know besides the tokens.
  /// - Throws: ``InputError``, at the first thing that is wrong; ``StructureRevised``.
  static func read(
    _ source: any ByteSource, settings: ReaderSettings, findings: StructureFindings,
    firstBatch: TokenBatch, deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws -> ReaderOutcome {
    findings.startReading()
    let tokenizer: ObjectTokenizer
    let list: BinaryPropertyList
    do {
      list = try BinaryPropertyList(try SpooledBytes(source), name: settings.name)
      tokenizer = try ObjectTokenizer(
        settings, findings: findings, firstBatch: firstBatch, deliver: deliver)
    } catch {
      firstBatch.deallocate()
      guard case ObjectFailure.limit(let reason) = error else { throw error }
      throw InputError(reason, at: SourceLocation(file: settings.name))
    }
    let walk = UnsafeMutablePointer<BinaryPropertyListWalk>.allocate(capacity: 1)
    walk.initialize(
      to: BinaryPropertyListWalk(list, tokenizer: tokenizer, name: settings.name))
    defer {
      walk.pointee.deallocate()
      walk.deinitialize(count: 1)
      walk.deallocate()
    }
    var outcome = ReaderOutcome()
    outcome.wasCancelled = try walk.pointee.run()
    if findings.isRevised { throw StructureRevised() }
    return outcome
  }
}
