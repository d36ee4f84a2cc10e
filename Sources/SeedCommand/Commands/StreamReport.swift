import SeedModel
import SeedStreams

/// The results of a stream for people and for programs.
struct StreamReport {
  let console: Console
  let isJSON: Bool
  /// Whether people want results even where there is no terminal.
  var isVerbose = false

  /// Prints how a run ended well.
  ///
  /// - Throws: ``ConsoleError``.
  func print(_ result: StreamResult, of stream: String) throws(ConsoleError) {
    if isJSON {
      try console.printResult(Self.line(Self.json(of: result, stream)))
    } else if console.error.isTerminal || isVerbose {
      console.printMessage(Self.text(of: result, stream) + "\n")
    }
  }

  /// Prints why a run ended, for programs only; people are told by the diagnostic.
  ///
  /// - Throws: ``ConsoleError``.
  func print(_ error: StreamError, after status: StreamStatus?) throws(ConsoleError) {
    if isJSON { try console.printResult(Self.line(Self.json(of: error, after: status))) }
  }

  /// Prints why a run ended that goes on later.
  ///
  /// - Throws: ``ConsoleError``.
  func reportAndPrint(
    _ error: StreamError, after status: StreamStatus
  ) throws(ConsoleError) {
    console.report(Diagnostic(.warning, error.description, hint: error.commandHint))
    try print(error, after: status)
  }

  /// `catalog is at 1767225600/1042, 40 rows applied, 12 KB fetched`.
  static func text(of result: StreamResult, _ stream: String) -> String {
    let bytes = Readable.bytes(result.bytes)
    let words =
      switch result.outcome {
      case .current: "nothing has changed"
      case .applied: "\(Readable.count(result.rows, "row")) applied, \(bytes) fetched"
      case .merged: "\(Readable.count(result.rows, "row")) merged, \(bytes) fetched"
      case .stale: "the server is behind"
      }
    let place = "\(result.position.epoch)/\(result.position.seq)"
    return "\(TerminalText.escaped(stream)) is at \(place), \(words)"
  }

  static func json(of result: StreamResult, _ stream: String) -> JSONValue {
    [
      "stream": .string(stream), "status": .string(result.outcome.rawValue),
      "epoch": .integer(result.position.epoch), "seq": .integer(result.position.seq),
      "id": .string(result.position.id), "rows": .integer(result.rows),
      "bytes": .integer(result.bytes), "requests": .integer(result.requests), "error": .null,
    ]
  }

  static func json(of error: StreamError, after status: StreamStatus?) -> JSONValue {
    [
      "stream": error.stream.isEmpty ? .null : .string(error.stream), "status": "error",
      "epoch": .integer(error.position?.epoch), "seq": .integer(error.position?.seq),
      "id": .string(error.position?.id), "rows": .integer(status?.rows ?? 0),
      "bytes": .integer(status?.bytes ?? 0), "requests": .integer(status?.requests ?? 0),
      "error": .string(error.kind), "message": .string(error.message),
    ]
  }

  private static func line(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    JSONBytes.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }
}
