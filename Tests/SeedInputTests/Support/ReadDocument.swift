import SeedModel

@testable import SeedInput

/// A document that the reader has read to its end.
struct ReadDocument {
  var events: [TokenEvent]
  var definitions: [TokenDefinition]
  var undeclaredPrefixes: [(prefix: String, location: SourceLocation)]
  var remarks: [Diagnostic]
  var wasCancelled: Bool
  var batchCount: Int
  var inputBytesRead: Int64

  private final class Collector {
    var decoder = TokenDecoder()
  }

  /// Reads bytes in pieces of a size, which the source gives and the filter works on.
  init(
    bytes: some Sequence<UInt8>, pieceSize: Int = .max, encoding: String? = nil,
    stopAfterBatches limit: Int = .max
  ) throws {
    try self.init(
      PieceSource(bytes, pieceSize: pieceSize), pieceSize: pieceSize, encoding: encoding,
      stopAfterBatches: limit)
  }

  init(_ text: String, pieceSize: Int = .max) throws {
    try self.init(bytes: text.utf8, pieceSize: pieceSize)
  }

  init(
    _ source: any ByteSource, pieceSize: Int = .max, encoding: String? = nil,
    stopAfterBatches limit: Int = .max
  ) throws {
    let collector = Collector()
    let outcome = try XMLReader.read(
      source, name: "test.xml", encoding: encoding,
      pieceByteCount: min(pieceSize, TextWindow.readByteCount), firstBatch: TokenBatch()
    ) { batch in
      collector.decoder.decode(batch)
      var batch = batch
      batch.removeAll()
      if collector.decoder.batchCount < limit { return batch }
      batch.deallocate()
      return nil
    }
    events = collector.decoder.events
    definitions = collector.decoder.definitions
    batchCount = collector.decoder.batchCount
    inputBytesRead = collector.decoder.inputBytesRead
    undeclaredPrefixes = outcome.undeclaredPrefixes
    remarks = outcome.remarks
    wasCancelled = outcome.wasCancelled
  }

  /// The document in a form like XML, with every value as a Swift literal:
  /// `<a x="1">"text"<b/></a>`.
  var outline: String {
    var text = ""
    var open: [String] = []
    var isTagOpen = false
    func closeTag() {
      if isTagOpen { text += ">" }
      isTagOpen = false
    }
    for event in events {
      switch event {
      case .start(let name, _):
        closeTag()
        text += "<\(name)"
        open.append(name)
        isTagOpen = true
      case .field(let name, let value): text += " \(name)=\(value.debugDescription)"
      case .text(let value, _):
        closeTag()
        text += value.debugDescription
      case .end:
        let name = open.removeLast()
        text += isTagOpen ? "/>" : "</\(name)>"
        isTagOpen = false
      }
    }
    return text
  }

  /// The lines of the start tags, in order.
  var lines: [Int] {
    events.compactMap { if case .start(_, let line) = $0 { line } else { nil } }
  }

  /// The error that a document is refused with; nil when it is read.
  static func error(
    bytes: some Sequence<UInt8>, pieceSize: Int = .max, encoding: String? = nil
  ) throws -> InputError? {
    do {
      _ = try ReadDocument(bytes: bytes, pieceSize: pieceSize, encoding: encoding)
      return nil
    } catch let error as InputError {
      return error
    }
  }

  static func error(_ text: String, pieceSize: Int = .max) throws -> InputError? {
    try error(bytes: text.utf8, pieceSize: pieceSize)
  }
}
