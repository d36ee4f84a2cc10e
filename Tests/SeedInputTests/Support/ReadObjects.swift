import SeedModel

@testable import SeedInput

/// A document of objects that was read to its end, as often as its structure asked for.
struct ReadObjects {
  var events: [TokenEvent] = []
  var definitions: [TokenDefinition] = []
  var readingCount = 0
  var batchCount = 0
  var wasCancelled = false
  var inputBytesRead: Int64 = 0
  /// The forms of the elements, in the order of their ends.
  var forms: [ElementForm?] = []

  private final class Collector {
    var decoder = TokenDecoder()
  }

  /// Reads bytes in pieces of a size; records without a name are called `r`.
  init(
    bytes: some Sequence<UInt8>, format: InputFormat = .json, pieceSize: Int = .max,
    encoding: String? = nil, batchWordCount: Int = TokenBatch.preferredWordCount,
    stopAfterBatches limit: Int = .max, marksEmptyMembers: Bool = false
  ) throws {
    var settings = ReaderSettings(
      name: "test.\(format.rawValue)", format: format, recordName: "r", encoding: encoding)
    settings.batchWordCount = batchWordCount
    settings.marksEmptyMembers = marksEmptyMembers
    let bytes = Array(bytes)
    let findings = StructureFindings()
    while true {
      readingCount += 1
      let collector = Collector()
      do {
        let outcome = try DocumentReader.read(
          PieceSource(bytes, pieceSize: pieceSize), settings: settings, findings: findings,
          firstBatch: TokenBatch()
        ) { batch in
          collector.decoder.decode(batch)
          var batch = batch
          batch.removeAll()
          if collector.decoder.batchCount < limit { return batch }
          batch.deallocate()
          return nil
        }
        wasCancelled = outcome.wasCancelled
      } catch is StructureRevised {
        continue
      }
      events = collector.decoder.events
      forms = collector.decoder.forms
      definitions = collector.decoder.definitions
      batchCount = collector.decoder.batchCount
      inputBytesRead = collector.decoder.inputBytesRead
      return
    }
  }

  init(_ text: String, format: InputFormat = .json, pieceSize: Int = .max) throws {
    try self.init(bytes: text.utf8, format: format, pieceSize: pieceSize)
  }

  /// The document in a form like XML; see ``TokenEvent/outline(_:)``.
  var outline: String { TokenEvent.outline(events) }

  /// The lines of the elements, in order.
  var lines: [Int] {
    events.compactMap { if case .start(_, let line) = $0 { line } else { nil } }
  }

  /// The definitions in short: `r`, `r/name` for places, `r@name` for fields, `[r]` for arrays,
  /// `r->r/name` for places met again and `r@name real` for what is said of a field.
  var structure: [String] {
    var places: [String] = []
    var fields: [String] = []
    return definitions.compactMap { definition in
      switch definition {
      case .place(let name, let parent):
        places.append((parent.map { places[$0] + "/" } ?? "") + name.local)
        return places[places.count - 1]
      case .recursion(let place, let parent): return "\(places[place])->\(places[parent])"
      case .array(let place): return "[\(places[place])]"
      case .attribute(let name, let place):
        fields.append("\(places[place])@\(name.local)")
        return fields[fields.count - 1]
      case .text(let place):
        fields.append("\(places[place])@")
        return fields[fields.count - 1]
      case .real(let field): return "\(fields[field]) real"
      case .data(let field): return "\(fields[field]) data"
      case .mixedData(let field): return "\(fields[field]) mixed"
      case .bare: return nil
      }
    }
  }

  /// The error that a document is refused with; nil when it is read.
  static func error(
    bytes: some Sequence<UInt8>, format: InputFormat = .json, pieceSize: Int = .max,
    encoding: String? = nil
  ) throws -> InputError? {
    do {
      _ = try ReadObjects(
        bytes: bytes, format: format, pieceSize: pieceSize, encoding: encoding)
      return nil
    } catch let error as InputError {
      return error
    }
  }

  static func error(
    _ text: String, format: InputFormat = .json, pieceSize: Int = .max
  ) throws -> InputError? {
    try error(bytes: text.utf8, format: format, pieceSize: pieceSize)
  }
}
