import SeedBuilder
import SeedFiles
import SeedInput
import SeedModel
import SeedProject

/// `seed init`: writes a first project file.
struct InitCommand: Command {
  static let specification = CommandSpecification(
    name: "init", summary: "Write a first project file for data files.",
    discussion: [
      "The project file says where each record goes and what type each column has, just as a build "
        + "without it would decide. Change it to your liking, then run \"seed build\". A JSON "
        + "Schema is written beside it, by which editors complete and explain its keys."
    ],
    operand: OperandSpecification(
      name: "source", count: 1...Int.max,
      help: "A file to read, or an http:// or https:// address to read it from in a build.",
      missingHint: "give a file to read"),
    options: [
      OptionSpecification(
        "output", letter: "o", .value(placeholder: "FILE"),
        help: "The project file to write. Without it, \(ProjectFile.defaultName)."),
      OptionSpecification("force", help: "Replace the file if it exists."),
    ] + SourceArguments.options + LayoutArguments.options,
    examples: ["seed init Events.xml", "seed init Events.xml -o Seeds/default.seed.json"])

  private let arguments: ParsedArguments
  private let output: String

  init(parsing arguments: ParsedArguments) {
    self.arguments = arguments
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
    try files.validate()
    let isSource = try files.localInputs.contains { input in
      guard case .file(let path) = input.origin, let status = try FileSystem.live.status(path)
      else { return false }
      return try FileSystem.live.status(output)?.identity == status.identity
    }
    if isSource {
      throw UsageError(
        .outputIsInput(output), command: arguments.command, hint: "write to another file")
    }
  }

  /// The sources that are files.
  private var files: SourceArguments {
    var files = arguments
    files.operands.removeAll(where: InitCommand.isAddress)
    return SourceArguments(files)
  }

  private static func isAddress(_ operand: String) -> Bool {
    operand.hasPrefix("https://") || operand.hasPrefix("http://")
  }

  func run(on console: Console) throws -> ExitCode {
    let replacement: Replacement = arguments.has("force") ? .anyFile : .nothing
    let pending = try PendingFile(for: output, replacing: replacement)
    for warning in SourceArguments(arguments).warnings { console.report(warning) }
    let project = try project(on: console)
    try InitCommand.write(
      ProjectEncoder.text(of: project, schemaPath: ProjectSchema.fileName), to: pending)
    try pending.publish()
    try writeSchema(beside: project)
    if console.error.isTerminal {
      let count = Readable.count(Int64(project.sources.count), "source")
      console.printMessage("\(TerminalText.escaped(output)): \(count)\n")
    }
    return .success
  }

  // MARK: The project

  private func project(on console: Console) throws -> Project {
    var project = Project(path: output)
    var options = files.buildOptions(output: "", fetched: FetchedInputs())
    project.output = Located(BuildCommand.defaultOutput)
    project.schema = try options.mapping.schema.map { Located(try relative($0.value, project)) }
    project.ignoresExtra = options.mapping.ignoresExtra
    project.dateFormat = options.dateFormat.map { Located($0) }
    project.timeZone = options.timeZone.map { Located($0) }
    // A schema has its own names, which the inference does not know.
    var records: [BuildOutline.Record] = []
    if !options.inputs.isEmpty, project.schema == nil {
      options.onDiagnostic = { console.report($0) }
      let outline = try Build.outline(options)
      project.name = outline.name.isEmpty ? nil : Located(outline.name)
      records = outline.records
    }
    var fileNumber = 0
    for operand in arguments.operands {
      var source = ProjectSource(.url(Located(operand), headers: []))
      if !InitCommand.isAddress(operand) {
        source.origin = .file(Located(try relative(operand, project)))
        source.records = records.filter { $0.input == fileNumber }.map(\.rule)
        fileNumber += 1
      }
      source.format = arguments.value(of: "format").flatMap { InputFormat(rawValue: $0) }
      source.encoding = arguments.value(of: "encoding")
      if FormatDetection.isDelimited(source.format, name: operand) {
        source.layout = LayoutArguments(arguments).layout
      }
      source.table = arguments.value(of: "table").map { Located($0) }
      project.sources.append(source)
    }
    return project
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

  /// Writes the JSON Schema beside the project file; one that is there is left as it is, unless
  /// files may be replaced.
  private func writeSchema(beside project: Project) throws {
    let path = project.resolved(ProjectSchema.fileName)
    let isThere = try FileSystem.live.status(path) != nil
    guard !isThere || arguments.has("force") else { return }
    let pending = try PendingFile(for: path, replacing: .anyFile)
    try InitCommand.write(ProjectSchema.text, to: pending)
    try pending.publish()
  }
}
