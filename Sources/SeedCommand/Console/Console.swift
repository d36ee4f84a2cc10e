import SeedModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The tool's two streams: results go to the standard output, everything else to the standard
/// error.
///
/// Keeps a progress bar apart from other lines: the bar is cleared before any of them. Safe to use
/// from several threads.
package final class Console: Sendable {
  let output: ConsoleStream
  let error: ConsoleStream
  /// A clock in seconds that never goes back.
  let now: @Sendable () -> Double
  /// Whether a progress bar is on the screen.
  private let isBarShown = Guarded(false)

  /// Creates a console over two streams and a clock in seconds.
  package init(
    output: ConsoleStream, error: ConsoleStream, now: @escaping @Sendable () -> Double
  ) {
    self.output = output
    self.error = error
    self.now = now
  }

  /// The console of this process.
  package static func standard() -> Console {
    Console(
      output: .descriptor(STDOUT_FILENO), error: .descriptor(STDERR_FILENO),
      now: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      })
  }

  /// Writes a result to the standard output.
  ///
  /// - Throws: ``ConsoleError`` when not all of it can be written.
  func printResult(_ text: String) throws(ConsoleError) {
    clearBar()
    try output.write(Array(text.utf8))
  }

  /// Writes text to the standard error.
  ///
  /// What cannot be written there is dropped: there is no other place to say so.
  func printMessage(_ text: String) {
    isBarShown.withLock { isShown in
      let clear = isShown ? Self.clearLine : ""
      isShown = false
      writeToError(clear + text)
    }
  }

  /// Writes a diagnostic to the standard error.
  func report(_ diagnostic: Diagnostic) {
    printMessage(DiagnosticRenderer(usesColor: error.usesColor).text(for: diagnostic))
  }

  /// Puts a progress bar in the place of the one before.
  func showBar(_ text: String) {
    isBarShown.withLock { isShown in
      isShown = true
      writeToError(Self.clearLine + text)
    }
  }

  /// Takes the progress bar off the screen, if there is one.
  func clearBar() {
    isBarShown.withLock { isShown in
      if isShown { writeToError(Self.clearLine) }
      isShown = false
    }
  }

  private static let clearLine = "\r\u{1B}[K"

  private func writeToError(_ text: String) {
    guard !text.isEmpty else { return }
    do {
      try error.write(Array(text.utf8))
    } catch {
      // Nobody reads the standard error any more; the exit code still tells how the run ended.
    }
  }
}
