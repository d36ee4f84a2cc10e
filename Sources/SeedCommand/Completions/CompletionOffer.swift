/// What a shell offers for an operand or for the value of an option.
enum CompletionOffer: Sendable, Hashable {
  /// Nothing that could be known beforehand.
  case nothing
  case files
  case directories
  case words([String])
}

extension OptionSpecification {
  /// What a shell offers for the value, told by the placeholder: `FILE` or `DIRECTORY`.
  var offer: CompletionOffer {
    switch kind {
    case .flag, .value: placeholder == "FILE" ? .files : directoryOffer
    case .choice(let words, _): .words(words)
    }
  }

  private var directoryOffer: CompletionOffer {
    placeholder == "DIRECTORY" ? .directories : .nothing
  }

  /// The spellings: the long one, then the short one if there is one.
  var spellings: [String] {
    [spelling] + (letter.map { ["-\($0)"] } ?? [])
  }

  /// What the option does, as briefly as a list of choices wants it.
  var brief: String { Self.brief(help) }

  /// The first sentence without its full stop.
  static func brief(_ text: String) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    let sentence = text[..<end]
    return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
  }
}

extension OperandSpecification {
  /// What a shell offers in the operand's place.
  func offer(among commands: [CommandSpecification]) -> CompletionOffer {
    switch kind {
    case .file: .files
    case .directory: .directories
    case .choice(let words): .words(words)
    case .command: .words(commands.map(\.name))
    }
  }
}

extension OptionSpecification {
  /// The option that only the tool itself has.
  static let version = OptionSpecification(
    "version", help: "Show the versions of the tool and of its libraries.")
}
