import SeedBuilder

/// Shows how far a build has come: as a bar in a terminal, as lines in a log.
final class ProgressDisplay: Sendable {
  /// When and how the progress is shown.
  enum Mode: Sendable, Equatable {
    case never
    /// One line that is drawn again and again, from some seconds after the start.
    case bar(afterSeconds: Double)
    /// A new line every some seconds.
    case lines(everySeconds: Double)

    /// The mode for what the user asked.
    ///
    /// Without a wish there is a bar in a terminal, once a build turns out to take a second.
    init(isWanted: Bool, isRefused: Bool, on stream: ConsoleStream) {
      if isRefused {
        self = .never
      } else if stream.canRedraw {
        self = .bar(afterSeconds: isWanted ? 0 : 1)
      } else {
        self = isWanted ? .lines(everySeconds: 5) : .never
      }
    }
  }

  /// How long a bar stays as it is, so that it can be read and costs nothing.
  private static let redrawSeconds = 0.1

  private struct State {
    var start: Double
    var lastShown: Double?
    var pass = 1
    var passStart: Double
  }

  private let mode: Mode
  private let console: Console
  private let state: Guarded<State>

  init(_ mode: Mode, console: Console) {
    self.mode = mode
    self.console = console
    let now = console.now()
    state = Guarded(State(start: now, passStart: now))
  }

  /// Shows a new state, if it is time to.
  func update(_ progress: BuildProgress) {
    guard mode != .never else { return }
    let now = console.now()
    let passSeconds: Double? = state.withLock { state in
      if progress.pass != state.pass {
        state.pass = progress.pass
        state.passStart = now
      }
      guard isDue(now, state, isStage: progress.isChecking) else { return nil }
      state.lastShown = now
      return now - state.passStart
    }
    guard let passSeconds else { return }
    if case .bar = mode {
      let line = ProgressLine(progress, passSeconds: passSeconds)
      // The last column stays free: some terminals wrap as soon as it is written.
      console.showBar(line.text(columns: console.error.columns() - 1))
    } else {
      let line = ProgressLine(progress, passSeconds: passSeconds)
      console.printMessage("seed: \(line.text(columns: 79, hasBar: false))\n")
    }
  }

  /// Whether a state is shown; one that begins a new stage is shown at once.
  private func isDue(_ now: Double, _ state: State, isStage: Bool) -> Bool {
    switch mode {
    case .never: false
    case .bar(let delay):
      now - state.start >= delay
        && (isStage || state.lastShown.map { now - $0 >= Self.redrawSeconds } ?? true)
    case .lines(let interval):
      isStage || now - (state.lastShown ?? -.infinity) >= interval
    }
  }
}
