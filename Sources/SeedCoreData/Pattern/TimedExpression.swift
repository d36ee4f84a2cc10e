internal import Dispatch

/// Runs an expression that may go back and try again for ever, and waits for it for some time only.
final class TimedExpression: @unchecked Sendable {
  // Unchecked: the queue writes `answer` before it signals, and whoever waited reads it after that.
  // What takes too long still runs when nobody waits any more, so nothing else is asked then.
  private let expression: Regex<AnyRegexOutput>
  private let milliseconds: Int
  private let queue = DispatchQueue(label: "seed.pattern")
  private var answer = false
  private var isStuck = false

  /// - Parameters:
  ///   - expression: The expression.
  ///   - milliseconds: How long a value may take.
  init(_ expression: Regex<AnyRegexOutput>, milliseconds: Int = 3_000) {
    self.expression = expression
    self.milliseconds = milliseconds
  }

  /// Whether all of a text matches; once one took too long, all others do.
  func compare(_ text: String) -> ModelPattern.Outcome {
    guard !isStuck else { return .takesTooLong }
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      answer = (try? expression.wholeMatch(in: text)) ?? nil != nil
      done.signal()
    }
    guard done.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
      isStuck = true
      return .takesTooLong
    }
    return answer ? .matches : .differs
  }
}
