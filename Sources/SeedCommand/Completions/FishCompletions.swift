/// Completions for fish.
struct FishCompletions {
  private let commands: [CommandSpecification]

  init(_ commands: [CommandSpecification]) {
    self.commands = commands
  }

  var script: String {
    """
    # Completes command lines of seed in fish: seed completions fish | source

    function __seed_needs_command
        test (count (commandline -opc)) -eq 1
    end

    function __seed_has_command
        set -l words (commandline -opc)
        test (count $words) -gt 1; and test $words[2] = $argv[1]
    end

    complete -c seed -f
    \(commands.map { line("__seed_needs_command", "-a \($0.name)", $0.summary) }.joined())\
    \([.help, .version].map { line("__seed_needs_command", names(of: $0), $0.help) }.joined())\
    \(commands.map { lines(for: $0) }.joined())
    """
  }

  private func lines(for command: CommandSpecification) -> String {
    let condition = "__seed_has_command \(command.name)"
    let options = command.allOptions.map { option in
      let value = option.takesValue ? " " + words(for: option.offer, isValue: true) : ""
      return line(condition, names(of: option) + value, option.help)
    }
    let operand = command.operand.map { operand in
      line(condition, words(for: operand.offer(among: commands), isValue: false), nil)
    }
    return "\n" + options.joined() + (operand ?? "")
  }

  private func line(_ condition: String, _ words: String, _ help: String?) -> String {
    let about = help.map { " -d \(quoted(OptionSpecification.brief($0)))" } ?? ""
    return "complete -c seed -n \(quoted(condition)) \(words)\(about)\n"
  }

  private func names(of option: OptionSpecification) -> String {
    (option.letter.map { "-s \($0) " } ?? "") + "-l \(option.name)"
  }

  private func words(for offer: CompletionOffer, isValue: Bool) -> String {
    switch offer {
    case .nothing: isValue ? "-x" : "-f"
    case .files: isValue ? "-r -F" : "-F"
    case .directories: (isValue ? "-x " : "") + "-a '(__fish_complete_directories)'"
    case .words(let words): (isValue ? "-x " : "") + "-a \(quoted(words.joined(separator: " ")))"
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
