import SeedBuilder
import SeedFetch
import SeedFiles
import SeedInput
import SeedModel
import SeedProject
import SeedTransport

/// `seed init`: writes a first project file.
struct InitCommand: Command {
  static let specification = CommandSpecification(
    name: "init", summary: "Write a first project file for data files.",
    discussion: [
      "The project file says where each record goes and what type each column has, just as a build "
        + "without it would decide; with a schema, its names say that. Change it to your liking, "
        + "then run \"seed build\". A JSON Schema is written beside it, by which editors complete "
        + "and explain its keys. Addresses are fetched once, to see what is there."
    ],
    operand: OperandSpecification(
      name: "source", count: 1...Int.max,
      help: "A file to read, or an http:// or https:// address.",
      missingHint: "give a file to read"),
    options: [
      OptionSpecification(
        "output", letter: "o", .value(placeholder: "FILE"),
        help: "The project file to write. Without it, \(ProjectFile.defaultName)."),
      OptionSpecification("force", help: "Replace the file if it is a project file."),
    ] + SourceArguments.options + LayoutArguments.options
      + SourceFetch.options.filter { $0.name != "locked" },
    examples: ["seed init Events.xml", "seed init Events.xml -o Seeds/default.seed.json"])

  private let arguments: ParsedArguments
  private let output: String
  private let fetch: SourceFetch

  init(parsing arguments: ParsedArguments) throws {
    self.arguments = arguments
    fetch = try SourceFetch(arguments)
    output = arguments.value(of: "output") ?? ProjectFile.defaultName
  }

  func validate() throws {
    if output.isEmpty {
      throw UsageError(
        .emptyPath("output"), command: arguments.command, hint: "give the path of a file")
    }
    if output == "-" || arguments.operands.contains("-") {
      throw UsageError(
        .unexpectedOperand("-"), command: arguments.command,
        hint: "name files: a project file is there to be built from again")
    }
    try sources.validate()
    try fetch.validate(.sources(sources))
    try checkCredentials()
    let isSource = try sources.localInputs.contains { input in
      guard case .file(let path) = input.origin, let status = try FileSystem.live.status(path)
      else { return false }
      return try FileSystem.live.status(output)?.identity == status.identity
    }
    if isSource {
      throw UsageError(
        .outputIsInput(output), command: arguments.command, hint: "write to another file")
    }
  }

  /// A project file is there to be kept with the sources of an app, where everybody reads it.
  private func checkCredentials() throws(UsageError) {
    for operand in arguments.operands where HTTPURL.isAddress(operand) {
      let shown = HTTPURL.withoutCredentials(operand)
      guard shown != operand else { continue }
      throw UsageError(
        .credentialsInAddress(shown), command: arguments.command,
        hint: "leave them out, and give --header 'Authorization: $NAME', with \"Basic …\" in the "
          + "environment variable NAME")
    }
  }

  private var sources: SourceArguments { SourceArguments(arguments) }

  func run(on console: Console) throws -> ExitCode {
    let replacement: Replacement =
      arguments.has("force") ? .file(ProjectFile.kind) : .nothing
    let pending = try PendingFile(for: output, replacing: replacement)
    for warning in sources.warnings { console.report(warning) }
    let project = try project(on: console)
    try InitCommand.write(
      ProjectEncoder.text(of: project, schemaPath: ProjectSchema.fileName), to: pending)
    // Whatever is in its way is to be known before the project file is there.
    var schema = try pendingSchema(beside: project)
    try pending.publish(isLastStep: false)
    try schema.take()?.publish()
    if console.error.isTerminal {
      let count = Readable.count(Int64(project.sources.count), "source")
      console.printMessage("\(TerminalText.escaped(output)): \(count)\n")
    }
    return .success
  }

  // MARK: The project

  private func project(on console: Console) throws -> Project {
    var project = Project(path: output)
    let schema = try sources.schema.map { Located(try relative($0.value, project)) }
    project.schema = schema
    if let path = sources.schema?.value {
      guard try FileSystem.live.status(path) != nil else {
        throw BuildError(
          .missingInput,
          [Diagnostic(.error, "there is no file \"\(path)\"", hint: "check the path of the schema")]
        )
      }
      console.report(
        Diagnostic(
          .note, "no rules for records are written, since records go where names of the schema do",
          at: SourceLocation(file: path),
          hint: "add \"records\" to a source whose names are others"))
    }
    // A schema has its own names, which the inference does not know.
    let outlined = try schema == nil ? outline(on: console) : nil
    let options = sources.buildOptions(output: "", fetched: FetchedInputs())
    project.name = outlined.flatMap { $0.name.isEmpty ? nil : Located($0.name) }
    project.output = Located(BuildCommand.defaultOutput)
    project.ignoresExtra = options.mapping.ignoresExtra
    project.dateFormat = options.dateFormat.map { Located($0) }
    project.timeZone = options.timeZone.map { Located($0) }
    for (number, operand) in arguments.operands.enumerated() {
      var source = try source(operand, in: project)
      source.records = outlined?.records[number] ?? []
      project.sources.append(source)
    }
    return project
  }

  private func source(_ operand: String, in project: Project) throws -> ProjectSource {
    var source = ProjectSource(
      HTTPURL.isAddress(operand)
        ? .url(Located(operand), headers: headers)
        : .file(Located(try relative(operand, project))))
    source.format = arguments.value(of: "format").flatMap { InputFormat(rawValue: $0) }
    source.encoding = arguments.value(of: "encoding")
    if FormatDetection.isDelimited(source.format, name: operand) {
      source.layout = LayoutArguments(arguments).layout
    }
    source.table = arguments.value(of: "table").map { Located($0) }
    return source
  }

  /// What the inference makes of the sources: the name of the seed, and the rules for the records of
  /// each source.
  private func outline(
    on console: Console
  ) throws -> (name: String, records: [[RecordRule]]) {
    let fetched = try fetch.run(.sources(sources), isTrial: true) { console.report($0) }
    var options = sources.buildOptions(output: "", fetched: fetched)
    options.onDiagnostic = { console.report($0) }
    let outline = try Build.outline(options)
    var pageCounts = fetched.pages.map(\.count)[...]
    var firstInput = 0
    let records = arguments.operands.map { operand -> [RecordRule] in
      let count = HTTPURL.isAddress(operand) ? pageCounts.popFirst() ?? 0 : 1
      defer { firstInput += count }
      let own = firstInput..<firstInput + count
      return InitCommand.united(outline.records.filter { own.contains($0.input) }.map(\.rule))
    }
    return (outline.name, records)
  }

  /// One rule for each path: the pages of a source have the same records, perhaps with other columns.
  private static func united(_ rules: [RecordRule]) -> [RecordRule] {
    var united: [RecordRule] = []
    for rule in rules {
      guard let known = united.firstIndex(where: { $0.path.value == rule.path.value }) else {
        united.append(rule)
        continue
      }
      let names = Set(united[known].columns.map(\.name.value))
      united[known].columns += rule.columns.filter { !names.contains($0.name.value) }
    }
    return united
  }

  /// The headers as a project file has them: variables by their names.
  private var headers: [HeaderRule] {
    fetch.headers.map { field in
      let value: HeaderRule.Value =
        switch (field.value.parts.first, field.value.parts.count) {
        case (nil, _): .text("")
        case (.literal(let text)?, 1): .text(text)
        case (.environment(let name)?, 1): .environment(name)
        default: .template(field.value.template)
        }
      return HeaderRule(name: field.name, value: value)
    }
  }

  /// A path as seen from the folder of the project file.
  private func relative(_ path: String, _ project: Project) throws -> String {
    guard !project.folder.isEmpty, project.folder != ".", !path.hasPrefix("/") else { return path }
    let files = FileSystem.live
    let folder = try files.realPath(project.folder).split(separator: "/")
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? path
    let own = parts.dropLast().joined(separator: "/")
    let parent = try files.realPath(own.isEmpty ? "." : own).split(separator: "/")
    let shared = zip(folder, parent).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: folder.count - shared)
    return (up + parent.dropFirst(shared).map(String.init) + [name]).joined(separator: "/")
  }

  // MARK: Files

  private static func write(_ text: String, to pending: borrowing PendingFile) throws {
    var text = text
    let writing = text.withUTF8 { bytes in
      Result { () throws(PublishError) in try pending.write(UnsafeRawBufferPointer(bytes)) }
    }
    try writing.get()
  }

  /// The JSON Schema to be put beside the project file; one that is there is left as it is, unless
  /// files may be replaced.
  private func pendingSchema(beside project: Project) throws -> PendingFile? {
    let path = project.resolved(ProjectSchema.fileName)
    let isThere = try FileSystem.live.status(path) != nil
    guard !isThere || arguments.has("force") else { return nil }
    let pending = try PendingFile(for: path, replacing: .file(ProjectSchema.kind))
    try InitCommand.write(ProjectSchema.text, to: pending)
    return pending
  }
}
