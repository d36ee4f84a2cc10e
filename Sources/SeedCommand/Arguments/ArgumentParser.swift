import SeedModel

/// Splits a command's arguments by its specification.
///
/// Understands `--name value`, `--name=value`, `-x value`, `-xvalue`, `-x=value`, joined flags
/// `-ab`, `--` as the end of the options, and `-` as an operand.
struct ArgumentParser {
  private let specification: CommandSpecification
  private var rest: ArraySlice<String>
  private var parsed: ParsedArguments

  /// Splits the arguments that follow a command's name.
  ///
  /// Stops at `--help`, whatever follows it, so that asking for help never fails.
  ///
  /// - Throws: ``UsageError`` for anything the specification does not allow.
  static func parse(
    _ arguments: some Sequence<String>, for specification: CommandSpecification
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(arguments, specification)
    return try parser.run()
  }

  private init(_ arguments: some Sequence<String>, _ specification: CommandSpecification) {
    self.specification = specification
    rest = ArraySlice(Array(arguments))
    parsed = ParsedArguments(command: specification.name)
  }

  private mutating func run() throws(UsageError) -> ParsedArguments {
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.operands += rest
        break
      }
      if argument.hasPrefix("--") {
        try readLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try readShort(argument)
      } else {
        parsed.operands.append(argument)
      }
      if parsed.has(OptionSpecification.help.name) { return parsed }
    }
    try checkConflicts()
    try checkOperands()
    return parsed
  }

  private mutating func readLong(_ argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let option = specification.allOptions.first(where: { $0.name == name }) else {
      throw unknownOption("--\(name)")
    }
    let joined = parts.count == 2 ? String(parts[1]) : nil
    if joined != nil, !option.takesValue {
      throw UsageError(.unexpectedValue(option: option.spelling), command: parsed.command)
    }
    try note(option, spelling: option.spelling, joined: joined)
  }

  private mutating func readShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      let spelling = "-\(letter)"
      guard let option = specification.allOptions.first(where: { $0.letter == letter }) else {
        // `-output` is more likely a long option with a dash too few than six short ones.
        throw unknownOption(argument)
      }
      if option.takesValue {
        let value = letters.first == "=" ? letters.dropFirst() : letters
        try note(option, spelling: spelling, joined: letters.isEmpty ? nil : String(value))
        return
      }
      try note(option, spelling: spelling, joined: nil)
    }
  }

  /// Takes the option's value, from the same argument or from the next one, and checks it.
  private mutating func note(
    _ option: OptionSpecification, spelling: String, joined: String?
  ) throws(UsageError) {
    guard option.takesValue else {
      try parsed.note(option, value: nil)
      return
    }
    guard let value = joined ?? nextValue() else {
      throw UsageError(
        .missingValue(option: spelling), command: parsed.command,
        hint: "write \"\(spelling) \(option.placeholder ?? "")\"")
    }
    if case .choice(let allowed, _) = option.kind, !allowed.contains(value) {
      throw UsageError(
        .invalidValue(value, option: spelling, allowed: allowed), command: parsed.command)
    }
    try parsed.note(option, value: value)
  }

  /// The next argument, unless it is itself an option: then the value was forgotten.
  ///
  /// A dash and a digit start a value (`--time-zone -05:00`), as no option is a digit.
  private mutating func nextValue() -> String? {
    guard let next = rest.first else { return nil }
    let isOption = next.hasPrefix("-") && next.dropFirst().first.map { !$0.isNumber } ?? false
    return isOption ? nil : rest.popFirst()
  }

  private func unknownOption(_ spelling: String) -> UsageError {
    if spelling == "--version" {
      return UsageError(
        .unknownOption(spelling), command: parsed.command, hint: "run \"seed --version\"")
    }
    let name = String(spelling.drop { $0 == "-" })
    let nearest =
      nameBehind(letter: name)
      ?? Suggestion.nearest(to: name, in: specification.allOptions.map(\.name))
    return UsageError(
      .unknownOption(spelling), command: parsed.command,
      hint: nearest.map { "did you mean \"--\($0)\"?" })
  }

  /// The flag that a letter stands for in other tools, if one alone begins with it.
  private func nameBehind(letter: String) -> String? {
    guard letter.count == 1 else { return nil }
    let flags = specification.allOptions.filter { !$0.takesValue && $0.name.hasPrefix(letter) }
    return flags.count == 1 ? flags[0].name : nil
  }

  private func checkConflicts() throws(UsageError) {
    for (first, second) in specification.conflicts where parsed.has(first) && parsed.has(second) {
      throw UsageError(.conflictingOptions("--\(first)", "--\(second)"), command: parsed.command)
    }
  }

  private func checkOperands() throws(UsageError) {
    let count = specification.operand?.count ?? 0...0
    if parsed.operands.count > count.upperBound {
      throw UsageError(
        .unexpectedOperand(parsed.operands[count.upperBound]), command: parsed.command)
    }
    if let operand = specification.operand, parsed.operands.count < count.lowerBound {
      throw UsageError(
        .missingOperand(operand.name(at: parsed.operands.count)), command: parsed.command,
        hint: operand.missingHint)
    }
    if let operand = specification.operand, case .choice(let allowed) = operand.kind,
      let wrong = parsed.operands.first(where: { !allowed.contains($0) })
    {
      throw UsageError(
        .invalidOperand(wrong, name: operand.name, allowed: allowed), command: parsed.command)
    }
  }
}
