import SeedFiles
import SeedInput
import SeedModel

/// The tool as a library: what `seed` does for a list of arguments.
package enum CommandLineTool {
  /// The verbs in the order of the help.
  static let commands: [any Command.Type] = [
    BuildCommand.self, InitCommand.self, SchemaCommand.self, InspectCommand.self,
    VerifyCommand.self, DiffCommand.self, InstallCommand.self, PublishCommand.self,
    StreamCommand.self, ServeCommand.self, CompletionsCommand.self, HelpCommand.self,
  ]

  /// What the verbs are called and take.
  static var specifications: [CommandSpecification] { commands.map { $0.specification } }

  /// Runs as the program of this process: takes over signals and the standard descriptors.
  ///
  /// - Parameter arguments: The arguments with the program's name before them.
  /// - Returns: The exit status.
  package static func main(_ arguments: [String]) -> Int32 {
    StandardDescriptors.reserve()
    InterruptCleanup.install()
    LargeBlocks.returnToSystem()
    OpenFileLimit.raise()
    return run(Array(arguments.dropFirst()), on: .standard()).rawValue
  }

  /// Runs the command that the arguments name.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the program's name.
  ///   - console: Where results and messages go.
  /// - Returns: How the run ended; every error was reported on the console.
  package static func run(_ arguments: [String], on console: Console) -> ExitCode {
    do {
      return try dispatch(arguments, on: console)
    } catch {
      let failure = Failure(error)
      for diagnostic in failure.diagnostics { console.report(diagnostic) }
      console.clearBar()
      return failure.code
    }
  }

  private static func dispatch(_ arguments: [String], on console: Console) throws -> ExitCode {
    guard let first = arguments.first else {
      // Most likely a slip of a script: not a success, yet the overview is what a person wants.
      console.printMessage(HelpText.overview(of: specifications))
      return .usage
    }
    switch first {
    case "--help", "-h":
      try console.printResult(HelpText.overview(of: specifications))
      return .success
    case "--version":
      try console.printResult(Version.text + "\n")
      return .success
    default: break
    }
    return try command(named: first).run(arguments.dropFirst(), on: console)
  }

  /// The command of a name.
  ///
  /// - Throws: ``UsageError`` with the nearest name when there is no such command.
  static func command(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.specification.name == name }) { return command }
    // Other tools have these.
    if ["version", "-v", "-V"].contains(name) {
      throw UsageError(
        name == "version" ? .unknownCommand(name) : .unknownOption(name), command: nil,
        hint: "did you mean \"--version\"?")
    }
    if name.hasPrefix("-") {
      let nearest = Suggestion.nearest(
        to: String(name.drop { $0 == "-" }), in: ["help", "version"])
      throw UsageError(
        .unknownOption(name), command: nil,
        hint: nearest.map { "did you mean \"--\($0)\"?" } ?? "give the command before its options")
    }
    let nearest = Suggestion.nearest(to: name, in: specifications.map(\.name))
    throw UsageError(
      .unknownCommand(name), command: nil, hint: nearest.map { "did you mean \"\($0)\"?" })
  }
}
