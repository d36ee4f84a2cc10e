extension UsageError: CustomStringConvertible {
  /// What is wrong, in one line.
  var description: String {
    switch reason {
    case .unknownCommand(let name): "unknown command \"\(name)\""
    case .unknownOption(let option): "unknown option \"\(option)\""
    case .repeatedOption(let option): "option \"\(option)\" is given more than once"
    case .missingValue(let option): "option \"\(option)\" needs a value"
    case .unexpectedValue(let option): "option \"\(option)\" takes no value"
    case .invalidValue(let value, let option, _):
      "\"\(value)\" is not a value of option \"\(option)\""
    case .conflictingOptions(let first, let second):
      "options \"\(first)\" and \"\(second)\" contradict each other"
    case .missingOperand(let name): "no \(name) given"
    case .missingOption(let option): "option \"\(option)\" is missing"
    case .missingChoice(let first, let second):
      "neither option \"\(first)\" nor \"\(second)\" is given"
    case .unexpectedOperand(let text): "unexpected argument \"\(text)\""
    case .invalidOperand(let text, let name, _): "\"\(text)\" is not a known \(name)"
    case .outputIsInput(let path): "output \"\(path)\" is the same file as a source"
    case .outputIsSchema(let path): "output \"\(path)\" is the same file as the schema"
    case .outputIsStandardOutput: "a database cannot be written to the standard output"
    case .outputIsArchive(let path):
      "output \"\(path)\" is a packed file by its name, and would be a plain database"
    case .emptyPath(let name): "the path of the \(name) is empty"
    case .repeatedSource(let path): "the source \"\(path)\" is given more than once"
    case .sourcesBesideProject(let path):
      "sources are given, but the project file \"\(path)\" names its own"
    case .projectAsSource(let path): "the source \"\(path)\" is a project file by its name"
    case .optionOfSources(let option):
      "option \"\(option)\" is about sources that are given here, not those of a project file"
    case .optionWithoutSources(let option):
      "option \"\(option)\" is about sources, of which there are none"
    case .optionOfModels(let option):
      "option \"\(option)\" is about a Core Data model, of which there is none"
    case .optionOfTemplates(let option):
      "option \"\(option)\" is about a Core Data store as the schema, of which there is none"
    case .optionWithout(let option, let needed):
      "option \"\(option)\" does nothing without \"\(needed)\""
    case .nothingToFetch(let option):
      "option \"\(option)\" is about sources at addresses, of which there are none"
    case .unsupportedScheme(let scheme):
      "addresses that begin with \"\(scheme):\" cannot be fetched, only \"https:\" and "
        + "\"http:\" ones"
    case .unusableAddress(let problem): problem
    case .addressAsDirectory(let address, let option):
      "option \"\(option)\" takes a directory, and \"\(address)\" is an address"
    case .credentialsInAddress(let address):
      "the address \"\(address)\" has a user or a password, which the project file would hold"
    case .repeatedStandardInput: "the standard input \"-\" is given more than once"
    }
  }

  /// What to do next: the hint, the allowed values, or where to read about the command.
  var advice: String {
    if let hint { return hint }
    switch reason {
    case .invalidValue(_, _, let allowed) where !allowed.isEmpty:
      return "use \(Self.alternatives(allowed))"
    case .invalidOperand(_, _, let allowed): return "use \(Self.alternatives(allowed))"
    case .sourcesBesideProject(let path): return "add them to \(path), or leave --config out"
    case .projectAsSource(let path):
      return "--config \(path) builds from it; --format json reads it as data"
    case .outputIsStandardOutput:
      return "give the path of a file; \"./-\" is a file of that name"
    case .repeatedOption: return "give it once"
    case .optionWithout(_, let needed): return "add \(needed), or leave it out"
    default: break
    }
    guard let command else { return "run \"seed help\" to see the commands" }
    return "run \"seed help \(command)\" to see what it takes"
  }

  /// `a`, `a or b`, `a, b or c`.
  private static func alternatives(_ texts: [String]) -> String {
    guard let last = texts.last, texts.count > 1 else { return texts.joined() }
    return texts.dropLast().joined(separator: ", ") + " or " + last
  }
}
