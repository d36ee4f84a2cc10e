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
  /// Whether letters are folded that differ in more than their case.
  private let folds: Bool

  /// Nil when Swift does not know its like, so that nothing can be compared with it.
  ///
  /// - Parameters:
  ///   - pattern: The expression.
  ///   - mostLooks: How much work a value gets.
  init?(_ pattern: String, mostLooks: Int = PatternAutomaton.mostLooks) {
    guard Self.obstacle(to: pattern) == nil, let words = PatternClasses.asInCoreData(pattern)
    else { return nil }
    folds = PatternFolding.isCaseless(pattern)
    let pattern = folds ? PatternFolding.folded(words) : words
    guard let expression = Self.expression(pattern) else { return nil }
    if let tree = PatternParser.parse(pattern),
      let automaton = PatternAutomaton(tree, mostLooks: mostLooks)
    {
      engine = .automaton(automaton)
    } else {
      engine = .timed(TimedExpression(expression))
    }
  }

  /// Why values cannot be compared with a pattern here; nil when they can.
  static func obstacle(to pattern: String) -> String? {
    guard let words = PatternClasses.asInCoreData(pattern) else {
      return "its groups or sets are nested too deeply"
    }
    guard
      PatternFolding.isCaseless(pattern) || !PatternFolding.switches(pattern)
        || !PatternFolding.concerns(pattern)
    else { return "it has letters with several small forms where case matters in one part only" }
    do {
      _ = try Regex(words)
      return nil
    } catch {
      return "the engine of Swift does not read it"
    }
  }

  /// A regular expression as Swift reads it, by characters of Unicode as ICU does.
  static func expression(_ pattern: String) -> Regex<AnyRegexOutput>? {
    (try? Regex(pattern))?.matchingSemantics(.unicodeScalar)
  }

  /// Whether all of a text matches.
  func compare(_ text: String) -> Outcome {
    let text = folds ? PatternFolding.folded(text) : text
    return switch engine {
    case .automaton(let automaton): automaton.compare(text)
    case .timed(let expression): expression.compare(text)
    }
  }
}
