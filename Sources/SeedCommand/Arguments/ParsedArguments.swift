/// The arguments of one command, split into options and operands but not yet interpreted.
struct ParsedArguments: Sendable, Hashable {
  /// The command's name.
  var command: String
  /// The options given, by name; flags have no value.
  private(set) var values: [String: String?] = [:]
  /// The values of the options that may be given more than once, by name, in the order given.
  private(set) var lists: [String: [String]] = [:]
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

  /// The values of an option that may be given more than once.
  func list(of option: String) -> [String] {
    lists[option] ?? []
  }

  /// Notes an option, which may be given once unless it is repeatable.
  ///
  /// - Throws: ``UsageError`` with `repeatedOption`.
  mutating func note(_ option: OptionSpecification, value: String?) throws(UsageError) {
    if option.isRepeatable, let value { lists[option.name, default: []].append(value) }
    guard values[option.name] == nil || option.isRepeatable else {
      throw UsageError(.repeatedOption(option.spelling), command: command)
    }
    values[option.name] = .some(value)
  }
}
