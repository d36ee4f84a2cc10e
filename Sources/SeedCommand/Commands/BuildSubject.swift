import SeedBuilder
import SeedFetch
import SeedFiles
import SeedModel
import SeedProject

/// What a command builds: the sources on its command line, or a project file.
enum BuildSubject {
  case sources(SourceArguments)
  case project(ProjectArguments)

  static let operand = OperandSpecification(
    name: "source", count: 0...Int.max,
    help: "\(SourceArguments.operand.help) Without any, the project file says what to read.",
    missingHint: "name files, as in \"seed build Events.xml\", or describe the build in a "
      + "\(ProjectFile.defaultName), which \"seed init Events.xml\" begins")

  static let options =
    [ProjectArguments.option] + SourceArguments.options + LayoutArguments.options
    + SourceFetch.options

  /// Takes the sources, or reads the project file.
  ///
  /// - Throws: ``UsageError`` when there is neither or both, ``ProjectErrors``.
  init(_ arguments: ParsedArguments, files: FileSystem = .live) throws {
    let config = arguments.value(of: ProjectArguments.option.name)
    guard arguments.operands.isEmpty else {
      if let config { throw UsageError(.sourcesBesideProject(config), command: arguments.command) }
      self = .sources(SourceArguments(arguments))
      return
    }
    if config == nil, try files.status(ProjectFile.defaultName) == nil {
      throw UsageError(
        .missingOperand("source"), command: arguments.command, hint: Self.operand.missingHint)
    }
    self = .project(
      try ProjectArguments(arguments, path: config ?? ProjectFile.defaultName, files: files))
  }

  /// The inputs that are at hand: all but those at an address.
  var localInputs: [BuildInput] {
    switch self {
    case .sources(let sources): sources.localInputs
    case .project(let project): project.localInputs
    }
  }

  /// The path of the schema to fill, if one is given.
  var schema: String? {
    switch self {
    case .sources(let sources): sources.schema?.value
    case .project(let project): project.schema?.value
    }
  }

  /// The sources that have to be fetched first, in their order; those of the command line with its
  /// headers.
  func fetchSources(headers: [FetchSource.Field]) -> [FetchSource] {
    switch self {
    case .sources(let sources): sources.fetchSources(headers: headers)
    case .project(let project): project.fetchSources
    }
  }

  /// Where it is recorded what was fetched: beside the project file, or in the working directory.
  var lockPath: String {
    switch self {
    case .sources: FetchLock.fileName
    case .project(let project): project.lockPath
    }
  }

  /// Whether the record is about this build alone, so that what it does not mention is gone.
  var ownsLock: Bool {
    if case .project = self { true } else { false }
  }

  /// The database to write when the command line does not say.
  var output: String {
    switch self {
    case .sources: BuildCommand.defaultOutput
    case .project(let project): project.output
    }
  }

  /// What to say before the inputs are read.
  var warnings: [Diagnostic] {
    switch self {
    case .sources(let sources): sources.warnings
    case .project: []
    }
  }

  /// Checks what can be told without reading the inputs.
  ///
  /// - Throws: ``UsageError``, ``BuildError``.
  func validate() throws {
    switch self {
    case .sources(let sources): try sources.validate()
    case .project(let project): try project.validate()
    }
  }

  /// Options for a build, with the pages that were fetched in the places of their sources.
  func buildOptions(output: String, fetched: FetchedInputs) -> BuildOptions {
    switch self {
    case .sources(let sources): sources.buildOptions(output: output, fetched: fetched)
    case .project(let project): project.buildOptions(output: output, fetched: fetched)
    }
  }
}
