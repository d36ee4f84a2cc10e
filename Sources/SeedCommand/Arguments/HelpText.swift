/// Lays out the help of the tool and of its commands.
///
/// Always 80 columns wide, whatever the terminal's width, so that the text reads the same in
/// a terminal, in a log and in the documentation.
enum HelpText {
  private static let width = 80
  /// The column at which explanations start, in the help of a command and in the overview.
  private static let margins = (help: 28, overview: 17)

  /// The overview: what the tool is and its commands.
  static func overview(of commands: [CommandSpecification]) -> String {
    var text = """
      Turn data files into one prebuilt SQLite database.

      Usage: seed <command> [<argument>…] [<option>…]

      Commands:

      """
    for command in commands {
      text += entry(command.name, command.summary, at: margins.overview)
    }
    text += "\nOptions:\n"
    text += entry("-h, --help", "Show this help.", at: margins.overview)
    text += entry(
      "    --version", "Show the versions of the tool and of its libraries.", at: margins.overview)
    text += "\nRun \"seed help <command>\" to read about a command.\n"
    return text
  }

  /// The help of one command.
  static func help(for command: CommandSpecification) -> String {
    var text = wrapped(command.summary, indentation: 0)
    text += "\nUsage: \(usage(of: command))\n"
    for paragraph in command.discussion {
      text += "\n" + wrapped(paragraph, indentation: 0)
    }
    if let operand = command.operand {
      text += "\nArguments:\n" + entry(operand.term, operand.help, at: margins.help)
    }
    for (heading, options) in groups(of: command.allOptions) {
      text += "\n\(heading):\n"
      for option in options {
        text += entry(term(for: option), option.help, at: margins.help)
      }
    }
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      text += command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  /// The options by their headings, in the order in which these appear; those without one are last.
  private static func groups(
    of options: [OptionSpecification]
  ) -> [(heading: String, options: [OptionSpecification])] {
    var headings: [String] = []
    for heading in options.compactMap(\.heading) where !headings.contains(heading) {
      headings.append(heading)
    }
    return headings.map { heading in (heading, options.filter { $0.heading == heading }) }
      + [("Options", options.filter { $0.heading == nil })]
  }

  private static func usage(of command: CommandSpecification) -> String {
    ["seed", command.name, command.operand?.usage, "[<option>…]"]
      .compactMap(\.self).joined(separator: " ")
  }

  private static func term(for option: OptionSpecification) -> String {
    var term = option.letter.map { "-\($0), " } ?? "    "
    term += option.spelling
    if let placeholder = option.placeholder { term += " \(placeholder)" }
    return term
  }

  /// A term and its explanation in two columns; a long term has a line of its own.
  private static func entry(_ term: String, _ explanation: String, at margin: Int) -> String {
    let body = wrapped(explanation, indentation: margin)
    let lead = "  \(term)"
    guard lead.count + 2 <= margin else { return "\(lead)\n\(body)" }
    return lead + body.dropFirst(lead.count)
  }

  private static func wrapped(_ text: String, indentation: Int) -> String {
    let margin = String(repeating: " ", count: indentation)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if indentation + line.count + 1 + word.count <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    lines.append(line)
    return lines.map { "\(margin)\($0)\n" }.joined()
  }
}
