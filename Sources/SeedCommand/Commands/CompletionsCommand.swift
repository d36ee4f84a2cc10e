/// `seed completions`: prints what teaches a shell to complete the tool's command lines.
struct CompletionsCommand: Command {
  static let specification = CommandSpecification(
    name: "completions", summary: "Print what lets a shell complete command lines.",
    discussion: [
      "Completed are commands, options, their values where there are but a few, and files. What "
        + "a shell reads when it starts is up to date after an update of seed; a file has to be "
        + "written anew."
    ],
    operand: OperandSpecification(
      name: "shell", count: 1...1, help: "The shell: bash, zsh or fish.",
      missingHint: "give bash, zsh or fish", kind: .choice(Shell.allCases.map(\.rawValue))),
    examples: [
      "eval \"$(seed completions bash)\"    # in ~/.bashrc",
      "source <(seed completions zsh)     # in ~/.zshrc, after compinit",
      "seed completions fish > ~/.config/fish/completions/seed.fish",
    ])

  private let shell: Shell

  init(parsing arguments: ParsedArguments) throws {
    // The parser has let through only what the specification allows.
    shell = arguments.operands.first.flatMap(Shell.init(rawValue:)) ?? .bash
  }

  func run(on console: Console) throws -> ExitCode {
    try console.printResult(shell.completions(of: CommandLineTool.specifications))
    return .success
  }
}
