internal import SeedModel

/// Reads property lists, binary ones and those in XML, and gives them out as token batches.
enum PropertyListReader {
  /// What turns any property list into one that is read.
  static let conversionHint = "convert it with \"plutil -convert xml1\""
  private static let prefixByteCount = 1_024

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
    let isBinary: Bool
    let whole: PrefixedSource
    do {
      (isBinary, whole) = try self.isBinary(source, name: settings.name)
    } catch {
      firstBatch.deallocate()
      throw error
    }
    guard isBinary else {
      return try XMLReader.read(
        whole, name: settings.name, encoding: settings.encoding,
        objects: ObjectReading(settings: settings, findings: findings, isRequired: true),
        firstBatch: firstBatch, batchWordCount: settings.batchWordCount,
        givesPlaces: settings.givesPlaces, deliver: deliver)
    }
    var settings = settings
    // There are no lines.
    settings.givesPlaces = false
    return try readBinary(
      whole, settings: settings, findings: findings, firstBatch: firstBatch, deliver: deliver)
  }

  /// Whether a property list is binary, and the source that still has all of it.
  ///
  /// - Throws: ``InputError`` when it is not in XML either.
  static func isBinary(
    _ source: any ByteSource, name: String
  ) throws -> (isBinary: Bool, source: PrefixedSource) {
    let (prefix, whole) = try PrefixedSource.peek(prefixByteCount, from: source)
    let isBinary = prefix.starts(with: BinaryPropertyList.magic)
    if !isBinary { try checkXML(prefix, name: name) }
    return (isBinary, whole)
  }

  /// Fails when a property list that is not binary is not in XML either.
  private static func checkXML(_ prefix: [UInt8], name: String) throws {
    guard !prefix.isEmpty else { throw InputError(.emptyFile, at: SourceLocation(file: name)) }
    if let other = FormatGuess.nonText(prefix) {
      throw InputError(.notReadable(looksLike: other), at: SourceLocation(file: name))
    }
    // In wide characters NULs stand between; marks and EBCDIC go on to the XML reader.
    let first = prefix.first { $0 > 0x20 && $0 < 0x80 }
    guard let first, first != UInt8(ascii: "<"), first != EBCDICDeclaration.start[0] else { return }
    throw InputError(
      .malformed(
        "this is no property list in XML or binary, but may be one in the old style",
        hint: conversionHint),
      at: SourceLocation(file: name))
  }

  private static func readBinary(
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
