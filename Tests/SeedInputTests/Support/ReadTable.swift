import SeedModel

@testable import SeedInput

/// A delimited text that the reader has read to its end.
struct ReadTable {
  /// The name, the parent and the kind of each place, and the columns.
  var definitions: [TokenDefinition] = []
  var records: [[String]] = []
  /// The lines that the records begin on.
  var lines: [Int] = []
  var remarks: [Diagnostic]
  var wasCancelled: Bool
  var batchCount: Int
  var inputBytesRead: Int64

  private final class Collector {
    var decoder = TokenDecoder()
  }

  /// The names of the columns, in their order.
  var columns: [String] {
    definitions.compactMap {
      if case .attribute(let name, 1) = $0 { name.local } else { nil }
    }
  }

  /// Reads bytes in pieces of a size, which the source gives and the reader works on.
  init(
    bytes: some Sequence<UInt8>, pieceSize: Int = .max, format: InputFormat = .csv,
    layout: DelimitedLayout = DelimitedLayout(), encoding: String? = nil,
    batchWordCount: Int = TokenBatch.preferredWordCount, stopAfterBatches limit: Int = .max,
    failure: (any Error)? = nil
  ) throws {
    var settings = ReaderSettings(
      name: "test.csv", format: format, recordName: "test", encoding: encoding)
    settings.layout = layout
    settings.batchWordCount = batchWordCount
    let collector = Collector()
    let outcome = try DelimitedReader.read(
      PieceSource(bytes, pieceSize: pieceSize, failure: failure), settings: settings,
      pieceByteCount: min(pieceSize, TextWindow.readByteCount), firstBatch: TokenBatch()
    ) { batch in
      collector.decoder.decode(batch)
      var batch = batch
      batch.removeAll()
      if collector.decoder.batchCount < limit { return batch }
      batch.deallocate()
      return nil
    }
    definitions = collector.decoder.definitions
    batchCount = collector.decoder.batchCount
    inputBytesRead = collector.decoder.inputBytesRead
    remarks = outcome.remarks
    wasCancelled = outcome.wasCancelled
    collect(collector.decoder.events)
  }

  init(_ text: String, pieceSize: Int = .max, layout: DelimitedLayout = .init()) throws {
    try self.init(bytes: text.utf8, pieceSize: pieceSize, layout: layout)
  }

  /// Takes the events apart, which are the root's start, the records, and the root's end.
  private mutating func collect(_ events: [TokenEvent]) {
    let columns = columns
    for event in events.dropFirst().dropLast() {
      switch event {
      case .start(_, let line):
        records.append([])
        lines.append(line)
      case .field(let name, let value):
        let last = records.count - 1
        records[last].append(columns[records[last].count] == name ? value : "not in \(name)")
      case .text(let text, _): records.append(["text", text])
      case .end, .empty: break
      }
    }
  }

  /// The errors that a text is refused with; none when it is read.
  static func errors(
    bytes: some Sequence<UInt8>, pieceSize: Int = .max, format: InputFormat = .csv,
    layout: DelimitedLayout = DelimitedLayout(), encoding: String? = nil
  ) throws -> [InputError] {
    do {
      _ = try ReadTable(
        bytes: bytes, pieceSize: pieceSize, format: format, layout: layout, encoding: encoding)
      return []
    } catch let error as InputError {
      return [error]
    } catch let errors as InputErrors {
      return errors.errors
    }
  }

  /// The error that a text is refused with; nil when it is read.
  static func error(
    _ text: String, pieceSize: Int = .max, layout: DelimitedLayout = .init()
  ) throws -> InputError? {
    try errors(bytes: text.utf8, pieceSize: pieceSize, layout: layout).first
  }
}
