/// The arguments of a command that are not options.
struct OperandSpecification: Sendable {
  /// What an operand may be.
  enum Kind: Sendable, Hashable {
    /// The path of a file; the command says what is wrong with one.
    case file
    case directory
    /// One of a few words.
    case choice([String])
    /// The name of one of the tool's commands.
    case command
  }

  /// What one of them is, such as `database`.
  var name: String
  /// How many the command takes.
  var count: ClosedRange<Int>
  /// What they are, for the help.
  var help: String
  /// What to do when one is missing, as an imperative sentence.
  var missingHint: String
  var kind: Kind = .file
  /// What each one is, where they differ; the first ones may be missing.
  var places: [String] = []

  /// What the one at an index is.
  func name(at index: Int) -> String { index < places.count ? places[index] : name }

  /// The operands as the help explains them together.
  var term: String {
    (places.isEmpty ? [name] : places).map { "<\($0)>" }.joined(separator: " ")
  }

  /// The operands as the usage line shows them.
  var usage: String {
    if !places.isEmpty {
      let missing = places.count - count.lowerBound
      return places.enumerated().map { $0 < missing ? "[<\($1)>]" : "<\($1)>" }
        .joined(separator: " ")
    }
    let one = "<\(name)>"
    if count.lowerBound == count.upperBound {
      return Array(repeating: one, count: count.lowerBound).joined(separator: " ")
    }
    let some = one + (count.upperBound > 1 ? "…" : "")
    return count.lowerBound == 0 ? "[\(some)]" : some
  }
}
