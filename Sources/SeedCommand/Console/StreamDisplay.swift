import SeedStreams

/// Shows what a stream is doing as one line in a terminal.
final class StreamDisplay {
  private let console: Console
  private var lastShown = -Double.infinity
  private var lastPhase: StreamPhase?

  /// How long a line stays as it is, so that it can be read and costs nothing.
  private static let redrawSeconds = 0.1

  init(_ console: Console) {
    self.console = console
  }

  /// Shows a status, if it is time to.
  func show(_ status: StreamStatus) {
    guard console.error.canRedraw, status.result == nil else { return }
    let now = console.now()
    guard status.phase != lastPhase || now - lastShown >= Self.redrawSeconds else { return }
    lastPhase = status.phase
    lastShown = now
    let line = Self.text(of: status)
    // The last column stays free: some terminals wrap as soon as it is written.
    console.showBar(String(line.prefix(max(0, console.error.columns() - 1))))
  }

  /// `catalog: downloading 45%, 12 MB of 27 MB`.
  static func text(of status: StreamStatus) -> String {
    var text = "\(TerminalText.escaped(status.stream)): \(status.phase.rawValue)"
    switch status.phase {
    case .downloading:
      if let total = status.expectedBytes, total > 0 {
        let percent = min(100, status.fetchedBytes * 100 / total)
        text += " \(percent)%, \(Readable.bytes(status.fetchedBytes)) of \(Readable.bytes(total))"
      }
    case .applying, .merging: text += ", \(Readable.count(status.rows, "row"))"
    case .waiting:
      if let wait = status.nextAttemptAfter {
        text += " \(Readable.wholeDuration(seconds: wait / .seconds(1)))"
      }
      if let error = status.error { text += ": \(error.message)" }
    case .opening, .checking, .verifying: break
    }
    return text
  }
}
