@testable import SeedCommand

/// A console that keeps what is written to it, with a clock that a test sets.
struct CapturedConsole {
  private let written = Guarded((output: "", error: ""))
  private let clock = Guarded(0.0)
  let console: Console

  init(isTerminal: Bool = false, columns: Int = 80) {
    let written = written
    let clock = clock
    console = Console(
      output: ConsoleStream(
        isTerminal: isTerminal, canRedraw: isTerminal, usesColor: false, columns: { columns },
        write: { bytes throws(ConsoleError) in
          written.withLock { $0.output += String(decoding: bytes, as: UTF8.self) }
        }),
      error: ConsoleStream(
        isTerminal: isTerminal, canRedraw: isTerminal, usesColor: false, columns: { columns },
        write: { bytes throws(ConsoleError) in
          written.withLock { $0.error += String(decoding: bytes, as: UTF8.self) }
        }),
      now: { clock.withLock { $0 } })
  }

  /// What was written to the standard output.
  var output: String { written.withLock { $0.output } }
  /// What was written to the standard error.
  var error: String { written.withLock { $0.error } }

  /// Sets the clock to some seconds.
  func setTime(_ seconds: Double) {
    clock.withLock { $0 = seconds }
  }

  /// Runs the tool.
  func run(_ arguments: String...) -> ExitCode {
    CommandLineTool.run(arguments, on: console)
  }
}
