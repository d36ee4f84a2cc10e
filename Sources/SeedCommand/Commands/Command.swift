/// One verb of the tool.
protocol Command: SendableMetatype {
  /// What the command is called and what it takes.
  static var specification: CommandSpecification { get }

  /// Takes what the command line gives.
  ///
  /// - Throws: ``UsageError`` for a value that cannot be understood.
  init(parsing arguments: ParsedArguments) throws

  /// Checks that what was given goes together, before anything is touched.
  ///
  /// - Throws: ``UsageError`` when it does not.
  func validate() throws

  /// Does the work.
  ///
  /// - Throws: Any error that ``Failure`` knows.
  func run(on console: Console) throws -> ExitCode
}

extension Command {
  func validate() throws {}

  /// Runs the command for the arguments that follow its name.
  static func run(_ arguments: ArraySlice<String>, on console: Console) throws -> ExitCode {
    let parsed = try ArgumentParser.parse(arguments, for: specification)
    if parsed.has(OptionSpecification.help.name) {
      try console.printResult(HelpText.help(for: specification))
      return .success
    }
    let command = try Self(parsing: parsed)
    try command.validate()
    return try command.run(on: console)
  }
}
