/// Completions for zsh, to be sourced or to lie on its `fpath` as `_seed`.
struct ZshCompletions {
  private let commands: [CommandSpecification]

  init(_ commands: [CommandSpecification]) {
    self.commands = commands
  }

  var script: String {
    let names = commands.map { command in
      "      \(quoted("\(command.name):\(OptionSpecification.brief(command.summary))"))\n"
    }
    let help = OptionSpecification.help
    let version = OptionSpecification.version
    return """
      #compdef seed
      # Completes command lines of seed in zsh: source <(seed completions zsh)

      _seed_commands() {
        local -a commands
        commands=(
      \(names.joined())  )
        _describe -t commands command commands
      }

      _seed() {
        local curcontext=$curcontext state line
        local -A opt_args
        _arguments -C \\
          '(- *)'{-h,--help}\(quoted("[\(inBrackets(help.brief))]")) \\
          \(quoted("(- *)--version[\(inBrackets(version.brief))]")) \\
          '1:command:_seed_commands' \\
          '*::argument:->argument' && return
        [[ $state == argument ]] || return
        case $words[1] in
      \(commands.map { cases(for: $0) }.joined())  esac
      }

      # On the fpath this file is itself the function; sourced it only defines it.
      if [[ $funcstack[1] == _seed ]]; then
        _seed "$@"
      else
        compdef _seed seed
      fi

      """
  }

  private func cases(for command: CommandSpecification) -> String {
    var arguments = command.allOptions.map { argument(for: $0, of: command) }
    if let operand = command.operand {
      let many = operand.count.upperBound > 1 ? "*" : "1"
      arguments.append(
        quoted("\(many):\(operand.name):\(action(for: operand.offer(among: commands)))"))
    }
    return """
          \(command.name))
            _arguments -s -S \\
              \(arguments.joined(separator: " \\\n        "))
            ;;

      """
  }

  /// An option with what it excludes: itself, and what contradicts it.
  private func argument(
    for option: OptionSpecification, of command: CommandSpecification
  ) -> String {
    let others = command.conflicts.compactMap { first, second in
      first == option.name ? second : second == option.name ? first : nil
    }
    let excluded =
      option.name == OptionSpecification.help.name
      ? "- *" : (option.spellings + others.map { "--\($0)" }).joined(separator: " ")
    var tail = "[\(inBrackets(option.brief))]"
    if option.takesValue {
      let isChoice = if case .choice = option.kind { true } else { false }
      let message = isChoice ? option.name : option.placeholder ?? option.name
      tail += ":\(message):\(action(for: option.offer))"
    }
    let long = option.spelling + (option.takesValue ? "=" : "")
    guard let letter = option.letter else {
      return quoted("(\(excluded))\(long)\(tail)")
    }
    let short = "-\(letter)" + (option.takesValue ? "+" : "")
    return "\(quoted("(\(excluded))")){\(short),\(long)}\(quoted(tail))"
  }

  private func action(for offer: CompletionOffer) -> String {
    switch offer {
    case .nothing: " "
    case .files: "_files"
    case .directories: "_files -/"
    case .words(let words) where words == commands.map(\.name): "_seed_commands"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private func inBrackets(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
  }
}
