/// A command line that cannot be understood.
struct UsageError: Error, Sendable, Hashable {
  /// What is wrong with the command line.
  enum Reason: Sendable, Hashable {
    case unknownCommand(String)
    case unknownOption(String)
    case repeatedOption(String)
    case missingValue(option: String)
    case unexpectedValue(option: String)
    case invalidValue(String, option: String, allowed: [String])
    case conflictingOptions(String, String)
    case missingOperand(String)
    /// An option without which the command does nothing.
    case missingOption(String)
    /// Options of which one has to be given.
    case missingChoice(String, String)
    case unexpectedOperand(String)
    case invalidOperand(String, name: String, allowed: [String])
    case outputIsInput(String)
    /// The output is the template that its schema would be taken from.
    case outputIsSchema(String)
    case outputIsStandardOutput
    /// A plain database under the name of a packed one.
    case outputIsArchive(String)
    case emptyPath(String)
    case repeatedStandardInput
    /// The same file as a source twice.
    case repeatedSource(String)
    /// Sources and a project file, which names its own.
    case sourcesBesideProject(String)
    /// A project file where data is expected.
    case projectAsSource(String)
    /// An option about the sources of the command line, of which there are none.
    case optionOfSources(String)
    /// An option about sources, where there are none.
    case optionWithoutSources(String)
    /// An option about Core Data models, where there is none.
    case optionOfModels(String)
    /// An option about Core Data stores as templates, where none is given.
    case optionOfTemplates(String)
    /// An option that means nothing without another one, as it is written.
    case optionWithout(String, needed: String)
    /// An option about fetching, where nothing is fetched.
    case nothingToFetch(String)
    /// An address that begins with this scheme.
    case unsupportedScheme(String)
    /// A text that is meant as an address and is none, with what is wrong.
    case unusableAddress(String)
    /// An address where only a directory will do.
    case addressAsDirectory(String, option: String)
    /// An address with a user and a password where a project file would keep them.
    case credentialsInAddress(String)
  }

  var reason: Reason
  /// The command whose arguments these are; nil when none was recognised.
  var command: String?
  /// What to do next, as an imperative sentence.
  var hint: String?

  init(_ reason: Reason, command: String?, hint: String? = nil) {
    self.reason = reason
    self.command = command
    self.hint = hint
  }
}
