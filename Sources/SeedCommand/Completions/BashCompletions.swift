/// Completions for bash 3.2 and later, without the package bash-completion.
struct BashCompletions {
  private let commands: [CommandSpecification]

  init(_ commands: [CommandSpecification]) {
    self.commands = commands
  }

  var script: String {
    let top =
      commands.map(\.name)
      + [OptionSpecification.help, .version].flatMap(\.spellings)
    return """
      # Completes command lines of seed in bash: eval "$(seed completions bash)"

      # Offers words, and nothing where none fits.
      _seed_words() {
        compopt +o default 2>/dev/null
        COMPREPLY=($(compgen -W "$1" -- "$current"))
      }

      _seed_directories() {
        local directory
        compopt +o default -o filenames 2>/dev/null
        while IFS= read -r directory; do
          COMPREPLY+=("$directory")
        done < <(compgen -d -- "$current")
      }

      # Where it offers nothing, bash completes files.
      _seed() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
        local index
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          _seed_words "\(top.joined(separator: " "))"
          return
        fi
        # Bash takes "--option=value" apart at the sign.
        if [[ $current == "=" ]]; then
          current=
        elif [[ $previous == "=" ]]; then
          previous=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        for ((index = 2; index < COMP_CWORD; index++)); do
          # No options follow this mark.
          [[ ${COMP_WORDS[index]} == "--" ]] && previous=
        done
        case ${COMP_WORDS[1]} in
      \(commands.map { cases(for: $0) }.joined())    *) compopt +o default 2>/dev/null ;;
        esac
      }

      complete -o default -F _seed seed

      """
  }

  private func cases(for command: CommandSpecification) -> String {
    let values = command.allOptions.filter(\.takesValue).map { option in
      "        \(option.spellings.joined(separator: " | "))) \(action(for: option.offer)) ;;\n"
    }
    let options = command.allOptions.flatMap(\.spellings).joined(separator: " ")
    let operand = command.operand?.offer(among: commands) ?? .nothing
    return """
          \(command.name))
            case $previous in
      \(values.joined())        *)
                if [[ $current == -* && -n $previous ]]; then
                  _seed_words "\(options)"
                else
                  \(action(for: operand))
                fi
                ;;
            esac
            ;;

      """
  }

  private func action(for offer: CompletionOffer) -> String {
    switch offer {
    case .nothing: "compopt +o default 2>/dev/null"
    case .files: ":"
    case .directories: "_seed_directories"
    case .words(let words): "_seed_words \"\(words.joined(separator: " "))\""
    }
  }
}
