/// The shells whose command lines can be completed.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script that completes command lines with some commands.
  func completions(of commands: [CommandSpecification]) -> String {
    switch self {
    case .bash: BashCompletions(commands).script
    case .zsh: ZshCompletions(commands).script
    case .fish: FishCompletions(commands).script
    }
  }
}
