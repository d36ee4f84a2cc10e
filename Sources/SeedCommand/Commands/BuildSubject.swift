import SeedBuilder
import SeedCoreData
import SeedFetch
import SeedFiles
import SeedModel
import SeedProject

/// What a command builds: the sources on its command line, a project file, or the empty store of a
/// Core Data model.
enum BuildSubject {
  case sources(SourceArguments)
  case project(ProjectArguments)
  case store(StoreArguments)

  static let operand = OperandSpecification(
    name: "source", count: 0...Int.max,
    help: "\(SourceArguments.operand.help) Without any, the project file says what to read; a Core "
      + "Data model alone gives an empty store.",
    missingHint: missingHint("build"))

  private static func missingHint(_ command: String) -> String {
    "name files, as in \"seed \(command) Events.xml\", or describe the build in a "
      + "\(ProjectFile.defaultName), which \"seed init Events.xml\" begins"
  }

  static let options =
    ([ProjectArguments.option] + SourceArguments.readingOptions + LayoutArguments.options)
    .under("Source options") + SourceArguments.schemaOptions.under(schemaHeading)
    + SourceFetch.options.under("Network options")

  static let schemaHeading = "Schema options"

  /// Takes the sources, or reads the project file.
  ///
  /// - Throws: ``UsageError`` when there is neither or both, ``ProjectErrors``.
  init(_ arguments: ParsedArguments, files: FileSystem = .live) throws {
    let config = arguments.value(of: ProjectArguments.option.name)
    guard arguments.operands.isEmpty else {
      if let config { throw UsageError(.sourcesBesideProject(config), command: arguments.command) }
      if !arguments.has("format"), let path = arguments.operands.first(where: ProjectFile.isNamed),
        !path.contains("://")
      {
        throw UsageError(.projectAsSource(path), command: arguments.command)
      }
      self = .sources(SourceArguments(arguments))
      return
    }
    if config == nil, try files.status(ProjectFile.defaultName) == nil {
      // A model and an empty store make an empty store.
      if let schema = arguments.value(of: "schema"), CoreDataSchema(schema) != nil {
        self = .store(StoreArguments(arguments, model: schema))
        return
      }
      throw UsageError(
        .missingOperand("source"), command: arguments.command,
        hint: Self.missingHint(arguments.command))
    }
    self = .project(
      try ProjectArguments(arguments, path: config ?? ProjectFile.defaultName, files: files))
  }

  /// The inputs that are at hand: all but those at an address.
  var localInputs: [BuildInput] {
    switch self {
    case .sources(let sources): sources.localInputs
    case .project(let project): project.localInputs
    case .store: []
    }
  }

  /// The path of the schema to fill, if one is given.
  var schema: String? {
    switch self {
    case .sources(let sources): sources.schema?.value
    case .project(let project): project.schema?.value
    case .store(let store): store.schema
    }
  }

  /// The sources that have to be fetched first, in their order; those of the command line with its
  /// headers.
  func fetchSources(headers: [FetchSource.Field]) -> [FetchSource] {
    switch self {
    case .sources(let sources): sources.fetchSources(headers: headers)
    case .project(let project): project.fetchSources
    case .store: []
    }
  }

  /// The HyperHive servers whose tables have to be fetched first.
  var hyperHiveSources: [(source: HyperHiveSource, location: SourceLocation?)] {
    if case .project(let project) = self { project.hyperHiveSources } else { [] }
  }

  /// Where it is recorded what was fetched: beside the project file, or in the working directory.
  var lockPath: String {
    switch self {
    case .sources, .store: FetchLock.fileName
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
    case .sources, .store: BuildCommand.defaultOutput
    case .project(let project): project.output
    }
  }

  /// What to say before the inputs are read.
  var warnings: [Diagnostic] {
    switch self {
    case .sources(let sources): sources.warnings
    case .project, .store: []
    }
  }

  /// Checks what can be told without reading the inputs.
  ///
  /// - Throws: ``UsageError``, ``BuildError``.
  func validate() throws {
    switch self {
    case .sources(let sources): try sources.validate()
    case .project(let project): try project.validate()
    case .store(let store): try store.validate()
    }
  }

  /// Options for a build, with the pages that were fetched in the places of their sources.
  func buildOptions(output: String, fetched: FetchedInputs) -> BuildOptions {
    switch self {
    case .sources(let sources): sources.buildOptions(output: output, fetched: fetched)
    case .project(let project): project.buildOptions(output: output, fetched: fetched)
    case .store: BuildOptions(inputs: [], output: output)
    }
  }

  /// What makes the database of some options.
  ///
  /// - Throws: ``BuildError`` and what its callers make one of.
  func maker(_ options: BuildOptions, _ arguments: ParsedArguments) throws -> any DatabaseMaker {
    guard let schema = schema, let kind = CoreDataSchema(schema) else {
      return try Build.maker(options)
    }
    if let contribution = options.contributions.first {
      throw BuildError(
        .usage,
        [
          Diagnostic(
            .error, "a Core Data store has no tables of \(contribution.input.name)",
            hint: "build them into a database of their own")
        ])
    }
    if let stream = options.streams?.rules.first {
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error, "a Core Data store cannot be kept fresh by a stream", at: stream.location,
            hint: "leave \"streams\" out, or build a database of plain tables for it")
        ])
    }
    switch kind {
    case .model:
      return try StoreBuild(options, StoreArguments(arguments, model: schema).options)
    case .store:
      return try TemplateBuild(
        options, template: schema, model: StoreArguments.model(of: arguments))
    }
  }
}
