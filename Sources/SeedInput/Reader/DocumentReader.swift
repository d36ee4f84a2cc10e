package import SeedModel

/// Reads an input of any format and gives it out as token batches.
package enum DocumentReader {
  /// Reads `source` to its end.
  ///
  /// - Parameters:
  ///   - source: The input's bytes, not packed.
  ///   - settings: How to read it.
  ///   - findings: What earlier readings of the same input have found.
  ///   - firstBatch: The batch to fill first.
  ///   - deliver: Takes a complete batch and gives an empty one, or nil to stop the reading.
  /// - Returns: What there is to know besides the tokens.
  /// - Throws: ``InputError``, at the first thing that is wrong; ``StructureRevised``.
  package static func read(
    _ source: any ByteSource, settings: ReaderSettings, findings: StructureFindings,
    firstBatch: TokenBatch, deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws -> ReaderOutcome {
    switch settings.format {
    case .xml:
      return try XMLReader.read(
        source, name: settings.name, encoding: settings.encoding,
        recordName: settings.recordName,
        objects: ObjectReading(settings: settings, findings: findings, isRequired: false),
        firstBatch: firstBatch, batchWordCount: settings.batchWordCount,
        givesPlaces: settings.givesPlaces, deliver: deliver)
    case .csv, .tsv:
      return try DelimitedReader.read(
        source, settings: settings, firstBatch: firstBatch, deliver: deliver)
    case .json, .ndjson:
      return try JSONReader.read(
        source, settings: settings, findings: findings, firstBatch: firstBatch, deliver: deliver)
    case .plist:
      return try PropertyListReader.read(
        source, settings: settings, findings: findings, firstBatch: firstBatch, deliver: deliver)
    }
  }

  /// Whether text in this encoding can be read.
  package static func knowsEncoding(_ name: String) -> Bool { XMLReader.knowsEncoding(name) }
}
