/// `seed help`: the overview, or the help of one command.
struct HelpCommand: Command {
  static let specification = CommandSpecification(
    name: "help", summary: "Show the commands, or what one command takes.",
    operand: OperandSpecification(
      name: "command", count: 0...1, help: "The command to read about.",
      missingHint: "give the name of a command", kind: .command))

  private let topic: String?

  init(parsing arguments: ParsedArguments) {
    topic = arguments.operands.first
  }

  func run(on console: Console) throws -> ExitCode {
    let text =
      if let topic {
        HelpText.help(for: try CommandLineTool.command(named: topic).specification)
      } else {
        HelpText.overview(of: CommandLineTool.specifications)
      }
    try console.printResult(text)
    return .success
  }
}
