internal import CLibXML2
package import SeedModel

/// Reads an XML document with libxml2's SAX2 interface and gives it out as token batches.
///
/// Reads nothing but the bytes it is given: external entities, external DTD subsets and XInclude
/// are never loaded. Entities that the document declares itself are expanded within a bound
/// (``InputLimits/entityExpansionFactor``).
package enum XMLReader {
  /// libxml2's version, such as `2.9.14`.
  package static var libraryVersion: String { LIBXML_DOTTED_VERSION }

  /// Whether documents in this encoding can be read.
  package static func knowsEncoding(_ name: String) -> Bool { XMLDecodingSource.knows(name) }

  /// Reads `source` to its end.
  ///
  /// - Parameters:
  ///   - source: The document's bytes, in any encoding, not packed.
  ///   - name: What errors call the input.
  ///   - encoding: An encoding that outranks what the document says, or nil.
  ///   - recordName: What records are called that have no name in the document, or nil.
  ///   - objects: How to read the document if it is a property list; nil when it shall be none.
  ///   - firstBatch: The batch to fill first.
  ///   - batchWordCount: How many words of tokens make a batch complete.
  ///   - givesPlaces: Whether batches say where their tokens stand.
  ///   - deliver: Takes a complete batch and gives an empty one, or nil to stop the reading.
  /// - Returns: What there is to know besides the tokens.
  /// - Throws: ``InputError``, at the first thing that is wrong; ``StructureRevised``.
  package static func read(
    _ source: any ByteSource, name: String, encoding: String? = nil, recordName: String? = nil,
    objects: ObjectReading? = nil, firstBatch: TokenBatch,
    batchWordCount: Int = TokenBatch.preferredWordCount, givesPlaces: Bool = false,
    deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws -> ReaderOutcome {
    try read(
      source, name: name, encoding: encoding, recordName: recordName, objects: objects,
      pieceByteCount: TextWindow.readByteCount, batchWordCount: batchWordCount,
      givesPlaces: givesPlaces, firstBatch: firstBatch, deliver: deliver)
  }

  /// Reads `source` in pieces of a size, which changes nothing in what is read, and in a form of
  /// the caller's if there is one.
  static func read(
    _ source: any ByteSource, name: String, encoding: String?, recordName: String? = nil,
    objects: ObjectReading? = nil, form: (any XMLForm)? = nil, pieceByteCount: Int,
    batchWordCount: Int = TokenBatch.preferredWordCount, givesPlaces: Bool = false,
    firstBatch: TokenBatch, deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws -> ReaderOutcome {
    XMLLibrary.start()
    objects?.findings.startReading()
    let chunks = HandoffChannel<XMLFilterChunk>(
      depth: 3, mostBytes: 1 << 20, byteCount: { $0.byteCount }, make: XMLFilterChunk.init,
      free: { $0.deallocate() })
    let text = FilteredSource(
      source, name: name, encoding: encoding, pieceByteCount: pieceByteCount)
    let filtering = WorkerThread { text.filter(into: chunks) }
    try filtering.start()
    defer { chunks.cancel() }
    let parse = UnsafeMutablePointer<XMLParse>.allocate(capacity: 1)
    parse.initialize(
      to: XMLParse(
        chunks: chunks, name: name, recordName: recordName, objects: objects, form: form,
        places: givesPlaces ? XMLTokenPlaces() : nil,
        tokenizer: XMLTokenizer(
          deliver: deliver, firstBatch: firstBatch, batchWordCount: batchWordCount)))
    let result = Result { try XMLParse.run(parse) }
    chunks.cancel()
    try filtering.join()
    parse.pointee.deallocate()
    parse.deinitialize(count: 1)
    parse.deallocate()
    let outcome = try result.get()
    if let objects, objects.findings.isRevised { throw StructureRevised() }
    return outcome
  }

  /// A document on its way to the filter's thread.
  private final class FilteredSource: @unchecked Sendable {
    // Unchecked: it belongs to the filter's thread alone once that has started.
    private let source: any ByteSource
    private let name: String
    private let encoding: String?
    private let pieceByteCount: Int

    init(
      _ source: any ByteSource, name: String, encoding: String?, pieceByteCount: Int
    ) {
      self.source = source
      self.name = name
      self.encoding = encoding
      self.pieceByteCount = pieceByteCount
    }

    /// Filters the document; what cannot even be decoded is the failure of the first piece.
    func filter(into chunks: HandoffChannel<XMLFilterChunk>) {
      XMLLibrary.silenceThread()
      defer { chunks.finish() }
      do {
        let text = try XMLTextSource.open(source, name: name, encoding: encoding)
        var filter = XMLLexicalFilter(source: text, name: name, pieceByteCount: pieceByteCount)
        filter.run { chunks.deliver($0) }
        filter.deallocate()
      } catch {
        var chunk = XMLFilterChunk()
        chunk.failure = error
        if let next = chunks.deliver(chunk) { next.deallocate() }
      }
    }
  }
}
