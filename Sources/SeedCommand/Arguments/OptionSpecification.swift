/// One option that a command understands.
struct OptionSpecification: Sendable {
  /// What the option takes.
  enum Kind: Sendable {
    /// Nothing: it is present or absent.
    case flag
    /// Any text, shown in the help under a placeholder such as `FILE`.
    case value(placeholder: String)
    /// One of a few texts, shown in the help as they are or under a placeholder.
    case choice([String], placeholder: String? = nil)
  }

  /// The name without its dashes.
  var name: String
  /// The letter of the short form, if there is one.
  var letter: Character?
  var kind: Kind
  /// Whether the option may be given more than once.
  var isRepeatable = false
  /// What the option does, for the help.
  var help: String
  /// The heading under which the help has it; nil for the one of all that need none.
  var heading: String?

  init(
    _ name: String, letter: Character? = nil, _ kind: Kind = .flag, isRepeatable: Bool = false,
    help: String
  ) {
    self.name = name
    self.letter = letter
    self.kind = kind
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// The option as users write it, with two dashes.
  var spelling: String { "--\(name)" }

  var takesValue: Bool {
    if case .flag = kind { return false }
    return true
  }

  /// What stands for the value in the help; nil for a flag.
  var placeholder: String? {
    switch kind {
    case .flag: nil
    case .value(let placeholder): placeholder
    case .choice(let values, let placeholder): placeholder ?? values.joined(separator: "|")
    }
  }

  /// The option that every command has.
  static let help = OptionSpecification("help", letter: "h", help: "Show this help.")
}

extension [OptionSpecification] {
  /// The options under a heading of their own in the help.
  func under(_ heading: String) -> Self {
    map { option in
      var option = option
      option.heading = heading
      return option
    }
  }
}
