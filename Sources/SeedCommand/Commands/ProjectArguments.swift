import SeedBuilder
import SeedFetch
import SeedFiles
import SeedInput
import SeedModel
import SeedProject

/// A project file, and the options of the command line that outrank it.
struct ProjectArguments {
  static let option = OptionSpecification(
    "config", .value(placeholder: "FILE"),
    help: "The project file to build from. Without it and without sources, "
      + "\(ProjectFile.defaultName) in the current folder.")

  /// Options about the sources of the command line, with the keys that say the same of a project's.
  private static let sourceOptions = [
    (option: "format", key: "format"), ("table", "table"), ("encoding", "encoding"),
    ("delimiter", "delimiter"), ("quote", "quote"), ("no-header", "columns"),
    ("header", "headers"),
  ]

  private let arguments: ParsedArguments
  private let project: Project

  /// Reads the project file.
  ///
  /// - Throws: ``UsageError`` for options that are about other sources, ``ProjectErrors``.
  init(_ arguments: ParsedArguments, path: String, files: FileSystem = .live) throws {
    if path.isEmpty {
      throw UsageError(
        .emptyPath("project file"), command: arguments.command, hint: "give the path of a file")
    }
    for (option, key) in Self.sourceOptions where arguments.has(option) {
      throw UsageError(
        .optionOfSources("--\(option)"), command: arguments.command,
        hint: "write \"\(key)\" beside the source in \(path)")
    }
    project = try ProjectFile.read(path, files: files)
    try UnsupportedRules.check(project)
    self.arguments = arguments
  }

  /// The project's files as inputs of a build.
  var localInputs: [BuildInput] { files.map(\.input) }

  private var files: [(input: BuildInput, path: Located<String>)] {
    project.sources.compactMap { source in
      guard case .file(let path) = source.origin else { return nil }
      return (input(source, at: project.resolved(path.value)), path)
    }
  }

  /// What is declared of a source; of an address, about each of its pages.
  private func input(_ source: ProjectSource, at path: String) -> BuildInput {
    var input = BuildInput.file(path)
    input.format = source.format
    input.encoding = source.encoding
    input.recordName = source.table?.value
    input.layout = source.layout
    input.records = source.records
    input.envelope = source.envelope
    return input
  }

  /// The project's addresses, with secrets named only.
  var fetchSources: [FetchSource] {
    project.sources.compactMap { source in
      guard case .url(let url, let headers) = source.origin else { return nil }
      var fetch = FetchSource(
        url.value,
        headers: headers.map { header in
          switch header.value {
          case .text(let text): FetchSource.Field(header.name, .literal(text))
          case .environment(let name): FetchSource.Field(header.name, .environment(name))
          case .template(let text): FetchSource.Field(header.name, FetchValue(template: text))
          }
        })
      fetch.pageLimit = source.pageLimit
      fetch.isFormatDeclared = source.format != nil
      return fetch
    }
  }

  /// The project's HyperHive servers, with secrets named only, and where each stands.
  var hyperHiveSources: [(source: HyperHiveSource, location: SourceLocation?)] {
    project.sources.compactMap { source in
      guard case .hyperHive(let server) = source.origin else { return nil }
      return (server, source.location)
    }
  }

  /// Where it is recorded what was fetched: beside the project file.
  var lockPath: String { project.resolved(FetchLock.fileName) }

  private func inputs(_ fetched: FetchedInputs) -> [BuildInput] {
    var pages = fetched.pages[...]
    return project.sources.flatMap { source -> [BuildInput] in
      switch source.origin {
      case .file(let path): [input(source, at: project.resolved(path.value))]
      case .url(let url, _):
        FetchedInputs.inputs(pages.popFirst(), like: input(source, at: url.value))
      case .hyperHive: []
      }
    }
  }

  /// The database that the project wants, beside its file when it does not say.
  var output: String {
    project.resolved(project.output?.value ?? BuildCommand.defaultOutput)
  }

  /// The schema to fill, if one is given.
  var schema: Located<String>? {
    arguments.value(of: "schema").map { Located($0) }
      ?? project.schema.map { Located(project.resolved($0.value), at: $0.location) }
  }

  /// Options for a build of the project; those of the command line outrank it.
  func buildOptions(output: String, fetched: FetchedInputs) -> BuildOptions {
    var options = BuildOptions(inputs: inputs(fetched), output: output)
    options.contributions = fetched.contributions
    options.mapping.schema = schema
    options.mapping.references = project.references
    options.mapping.indexes = project.indexes
    options.mapping.owned = project.owned
    options.streams = StreamRules.declaration(project.streams)
    options.mapping.ignoresExtra = project.ignoresExtra || arguments.has("ignore-extra")
    options.dateFormat = arguments.value(of: "date-format") ?? project.dateFormat?.value
    options.timeZone = arguments.value(of: "time-zone") ?? project.timeZone?.value
    options.userVersion = project.userVersion?.value
    options.applicationID = project.applicationID?.value
    options.seedName = project.name?.value
    options.seedVersion = project.version?.value
    options.analyzes = project.analyzes
    for pragma in project.pragmas {
      switch (pragma.name.value, pragma.value) {
      case ("page_size", .integer(let size)): options.pageSize = Int(size)
      case ("auto_vacuum", "full"): options.autoVacuum = .full
      case ("auto_vacuum", "incremental"): options.autoVacuum = .incremental
      // The decoder lets nothing else pass but what every build does.
      default: break
      }
    }
    return options
  }

  // MARK: Checks

  /// Checks what the project says of its files and values, so that errors point into its file.
  ///
  /// - Throws: ``BuildError`` with everything that is wrong.
  func validate() throws(BuildError) {
    var diagnostics = missingFiles()
    let reason: BuildError.Reason = diagnostics.isEmpty ? .input : .missingInput
    diagnostics += repeatedFiles() + wrongValues() + vainLayouts()
    guard diagnostics.isEmpty else { throw BuildError(reason, diagnostics) }
  }

  private func missingFiles(_ system: FileSystem = .live) -> [Diagnostic] {
    var paths = files.map(\.path)
    if let schema = project.schema, !arguments.has("schema") { paths.append(schema) }
    return paths.compactMap { path in
      // What cannot be looked at is reported by the build, which knows what to say about it.
      guard
        case .success(nil) = Result(catching: { try system.status(project.resolved(path.value)) })
      else { return nil }
      return Diagnostic(
        .error, "there is no file \"\(project.resolved(path.value))\"", at: path.location,
        hint: "paths are relative to the folder of the project file")
    }
  }

  private func repeatedFiles(_ system: FileSystem = .live) -> [Diagnostic] {
    var seen: Set<FileStatus.Identity> = []
    return files.compactMap { file in
      guard let identity = try? system.status(project.resolved(file.path.value))?.identity,
        !seen.insert(identity).inserted
      else { return nil }
      return Diagnostic(
        .error, "the source \"\(file.path.value)\" is given more than once",
        at: file.path.location, hint: "give each source once")
    }
  }

  /// What is said of delimited text in sources whose names tell that they are something else; the
  /// decoder has seen to those that declare a format.
  private func vainLayouts() -> [Diagnostic] {
    project.sources.filter { $0.format == nil }.flatMap { source -> [Diagnostic] in
      let name: String
      switch source.origin {
      case .file(let path): name = path.value
      case .url(let url, _): name = url.value
      case .hyperHive: return []
      }
      guard !FormatDetection.isDelimited(nil, name: name) else { return [] }
      return source.layoutKeys.map { key in
        Diagnostic(
          .error, "\"\(key.value)\" is about CSV and TSV, which \"\(name)\" is not by its name",
          at: key.location, hint: "leave it out, or add \"format\": \"csv\"")
      }
    }
  }

  private func wrongValues() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    func note(_ error: ValueRulesError, at location: SourceLocation?) {
      diagnostics.append(Diagnostic(.error, "\(error)", at: location, hint: error.hint))
    }
    if let format = project.dateFormat {
      do { _ = try DatePattern(format.value) } catch { note(error, at: format.location) }
    }
    if let zone = project.timeZone {
      do { _ = try TimeZoneRule(named: zone.value) } catch { note(error, at: zone.location) }
    }
    for source in project.sources {
      guard let encoding = source.encoding, !DocumentReader.knowsEncoding(encoding) else {
        continue
      }
      diagnostics.append(
        Diagnostic(
          .error, "unknown encoding \"\(encoding)\"", at: source.location,
          hint: "use a name such as ISO-8859-1, windows-1252 or UTF-16; \"iconv -l\" lists more"))
    }
    return diagnostics
  }
}
