/// The arguments of one command, split into options and operands but not yet interpreted.
struct ParsedArguments: Sendable, Hashable {
  /// The command's name.
  var command: String
  /// The options given, by name; flags have no value.
  private(set) var values: [String: String?] = [:]
  /// The operands in the order given.
  var operands: [String] = []

  init(command: String) {
    self.command = command
  }

  /// Whether an option is given.
  func has(_ option: String) -> Bool {
    values[option] != nil
  }

  /// The value of an option; nil when it is not given.
  func value(of option: String) -> String? {
    values[option] ?? nil
  }

  /// Notes an option, which may be given once.
  ///
  /// - Throws: ``UsageError`` with `repeatedOption`.
  mutating func note(_ option: OptionSpecification, value: String?) throws(UsageError) {
    guard values[option.name] == nil else {
      throw UsageError(.repeatedOption(option.spelling), command: command)
    }
    values[option.name] = .some(value)
  }
}
