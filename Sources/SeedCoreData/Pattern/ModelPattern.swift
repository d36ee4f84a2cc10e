internal import SeedModel

/// The regular expression of a model, which values come from anywhere to.
///
/// Engines that go back and try again may need for ever: `(a+)+$` doubles its work with each letter.
/// What is a regular expression in the strict sense is run as an automaton, whose work grows with the
/// text alone; what looks ahead or back, which such an automaton cannot do, is given some time.
struct ModelPattern {
  /// What became of a text.
  enum Outcome {
    case matches, differs
    /// Nothing was found in the time that a value gets.
    case takesTooLong
  }

  private enum Engine {
    case automaton(PatternAutomaton)
    case timed(TimedExpression)
  }

  private let engine: Engine

  /// Nil when Swift does not know its like, so that nothing can be compared with it.
  init?(_ pattern: String) {
    guard let pattern = PatternClasses.asInCoreData(pattern),
      let expression = Self.expression(pattern)
    else { return nil }
    if let tree = PatternParser.parse(pattern), let automaton = PatternAutomaton(tree) {
      engine = .automaton(automaton)
    } else {
      engine = .timed(TimedExpression(expression))
    }
  }

  /// A regular expression as Swift reads it, by characters of Unicode as ICU does.
  static func expression(_ pattern: String) -> Regex<AnyRegexOutput>? {
    (try? Regex(pattern))?.matchingSemantics(.unicodeScalar)
  }

  /// Whether all of a text matches.
  func compare(_ text: String) -> Outcome {
    switch engine {
    case .automaton(let automaton): automaton.compare(text)
    case .timed(let expression): expression.compare(text)
    }
  }
}
