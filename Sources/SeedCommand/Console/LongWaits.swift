import SeedModel
import SeedStreams

/// Says that a stream waits, where nobody would know why nothing happens.
///
/// In a terminal the display shows each wait.
final class LongWaits {
  private let console: Console
  private var isTold = false

  /// A wait of this length is told once, until the server has answered again.
  private static let noteworthy = Duration.seconds(5)
  /// A longer one is told each time: no failure of a connection makes one, but the server's wish.
  private static let long = Duration.seconds(60)

  /// Says it at a console.
  init(_ console: Console) {
    self.console = console
  }

  /// Takes a status, and says so if it begins a wait.
  func report(_ status: StreamStatus) {
    if status.result != nil { isTold = false }
    guard !console.error.canRedraw, status.phase == .waiting, let error = status.error,
      let wait = status.nextAttemptAfter, wait > Self.long || wait >= Self.noteworthy && !isTold
    else { return }
    isTold = true
    let time = Readable.wholeDuration(seconds: wait / .seconds(1))
    console.report(
      Diagnostic(.warning, "\(error.description); the next attempt follows in \(time)"))
  }
}
