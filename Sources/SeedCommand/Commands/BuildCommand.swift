import SeedBuilder
import SeedFiles
import SeedModel

/// `seed build`: turns sources into one database.
struct BuildCommand: Command {
  /// Where a build goes that is not told where.
  static let defaultOutput = "default.sqlite"

  static let specification = CommandSpecification(
    name: "build", summary: "Build one SQLite database from data files.",
    discussion: [
      "The tables follow from the data, unless a schema or a project file says otherwise. The database is written under a temporary name, checked "
        + "and renamed, so that the output is the old file or the complete new one. The same "
        + "sources and options always give the same bytes.",
      "--check is for continuous integration: it exits with status 1 and prints the difference "
        + "when the output is not what the sources give. The same content in another layout, as "
        + "another version of SQLite makes it, is up to date; another page size than asked for, "
        + "missing or unwanted statistics, another stamp and a FILE.gz of another database are not.",
      "A Core Data model as the schema gives a Core Data store with the objects of the sources, "
        + "without sources the empty one, identical to what Core Data writes as far as stored stores "
        + "show.",
      "--if-changed compares the digests of sources and options with the one in the output, not "
        + "times of files. An output whose content was changed since is built again.",
    ],
    operand: BuildSubject.operand,
    options: outputOptions + BuildSubject.options
      + [
        StoreArguments.versionOption, StoreArguments.compiledOption, StoreArguments.modelOption,
      ].under(BuildSubject.schemaHeading) + [
        OptionSpecification(
          "progress",
          help: "Show the progress at once; as lines where there is no terminal."),
        OptionSpecification("no-progress", help: "Never show the progress."),
        OptionSpecification("quiet", help: "Print nothing but errors."),
        OptionSpecification("verbose", help: "Print the summary even where there is no terminal."),
        OptionSpecification("json", help: "Print the summary as JSON on the standard output."),
      ],
    conflicts: [
      ("quiet", "verbose"), ("quiet", "progress"), ("progress", "no-progress"),
      ("check", "if-changed"), ("check", "force"), ("check", "compress"),
    ],
    examples: [
      "seed build Events.xml -o default.sqlite",
      "seed build Events.xml -o default.sqlite --check",
      "seed build https://example.com/events.xml -o events.sqlite",
      "xsltproc events.xsl export.xml | seed build - -o events.sqlite",
      "seed build --config Seeds/default.seed.json",
      "seed build --schema Model.xcdatamodeld -o Model.sqlite",
    ])

  /// The options about what is written.
  private static let outputOptions = [
    OptionSpecification(
      "output", letter: "o", .value(placeholder: "FILE"),
      help: "The database to write. Without it, what the project file says, or \(defaultOutput)."),
    OptionSpecification(
      "page-size", .choice(pageSizes.map(String.init), placeholder: "N"),
      help: "The page size in bytes, a power of two from 512 to 65536. Without it, "
        + "that of the schema's database, or 4096."),
    OptionSpecification(
      "analyze", help: "Collect the statistics that help SQLite to plan queries."),
    OptionSpecification(
      "check", help: "Write nothing; compare what a build would give with the output."),
    OptionSpecification(
      "if-changed",
      help: "Build only if sources, options or versions are not those of the output."),
    OptionSpecification(
      "force",
      help: "Replace a database that seed did not build, or that is installed for an app."),
    OptionSpecification(
      "manifest", help: "Write digests, sizes, rows and sources to FILE.manifest.json, too."),
    OptionSpecification(
      "compress", help: "Write the database packed with gzip to FILE.gz, too."),
  ].under("Output options")

  private static let pageSizes = (9...16).map { 1 << $0 }

  private let arguments: ParsedArguments
  private let subject: BuildSubject
  private let fetch: SourceFetch
  private let output: String

  init(parsing arguments: ParsedArguments) throws {
    self.arguments = arguments
    subject = try BuildSubject(arguments)
    fetch = try SourceFetch(arguments)
    output = arguments.value(of: "output") ?? subject.output
  }

  func validate() throws {
    try subject.validate()
    try fetch.validate(subject)
    try StoreArguments.refuseOptions(arguments, schema: subject.schema)
    if output.isEmpty {
      throw UsageError(
        .emptyPath("output"), command: arguments.command, hint: "give the path of a file")
    }
    if output == "-" {
      throw UsageError(.outputIsStandardOutput, command: arguments.command)
    }
    if output.lowercased().hasSuffix(".gz") {
      throw UsageError(
        .outputIsArchive(output), command: arguments.command,
        hint: "write to \"\(output.dropLast(3))\" and add --compress, which packs it beside that")
    }
    try checkDistinct(output)
    if arguments.has("manifest") { try checkDistinct(BuildManifest.path(beside: output)) }
    if arguments.has("compress") { try checkDistinct(output + ".gz") }
  }

  private func checkDistinct(_ path: String) throws {
    for input in subject.localInputs where try isFile(input, at: path) {
      throw UsageError(
        .outputIsInput(path), command: arguments.command, hint: "write to another file")
    }
    if let schema = subject.schema, try isFile(.file(schema), at: path) {
      throw UsageError(
        .outputIsSchema(path), command: arguments.command,
        hint: "write to another file; the template stays as it is")
    }
  }

  /// Whether an input is the very file that would be replaced, under whatever name.
  private func isFile(
    _ input: BuildInput, at path: String, files: FileSystem = .live
  ) throws -> Bool {
    // What cannot be looked at is reported by the build, which knows what to say about it.
    guard let output = try? files.status(path) else { return false }
    switch input.origin {
    case .file(let path): return (try? files.status(path))?.identity == output.identity
    case .standardInput:
      return (try? files.descriptorStatus(0, "<stdin>"))?.identity == output.identity
    }
  }

  func run(on console: Console) throws -> ExitCode {
    let start = console.now()
    let isQuiet = arguments.has("quiet")
    let warn: @Sendable (Diagnostic) -> Void = { if !isQuiet { console.report($0) } }
    let fetched = try fetch.run(subject, isTrial: arguments.has("check"), onWarning: warn)
    for warning in subject.warnings { warn(warning) }
    let options = buildOptions(fetched, on: console)
    defer { console.clearBar() }
    if arguments.has("check") {
      let report = try Build.check(options, making: maker)
      try show(report, on: console)
      return report.isUpToDate ? .success : .finding
    }
    let summary =
      try arguments.has("if-changed")
      ? Build.runIfChanged(options, making: maker) : Build.run(options, making: maker)
    try fetched.writeLock()
    guard let summary else {
      try showUpToDate(on: console)
      return .success
    }
    try report(summary, seconds: console.now() - start, on: console)
    return .success
  }

  private func maker(_ options: BuildOptions) throws -> any DatabaseMaker {
    try subject.maker(options, arguments)
  }

  private func buildOptions(_ fetched: FetchedInputs, on console: Console) -> BuildOptions {
    let progress = ProgressDisplay(
      ProgressDisplay.Mode(
        isWanted: arguments.has("progress"),
        isRefused: arguments.has("no-progress") || arguments.has("quiet"), on: console.error),
      console: console)
    var options = subject.buildOptions(output: output, fetched: fetched)
    options.pageSize = arguments.value(of: "page-size").flatMap { Int($0) } ?? options.pageSize
    options.analyzes = options.analyzes || arguments.has("analyze")
    options.replacesForeign = arguments.has("force")
    options.onProgress = { progress.update($0) }
    options.writesManifest = arguments.has("manifest")
    options.compresses = arguments.has("compress")
    if !arguments.has("quiet") { options.onDiagnostic = { console.report($0) } }
    return options
  }

  /// Whether one line about a success is wanted.
  private func showsSummary(on console: Console) -> Bool {
    (console.error.isTerminal || arguments.has("verbose")) && !arguments.has("quiet")
  }

  private func showUpToDate(on console: Console) throws {
    if showsSummary(on: console) {
      console.printMessage("\(TerminalText.escaped(output)): is up to date\n")
    }
    if arguments.has("json") {
      try console.printResult(BuildReport.upToDate(output).text)
    }
  }

  private func show(_ report: CheckReport, on console: Console) throws {
    if arguments.has("json") {
      try console.printResult(report.json.text)
    } else if !report.isUpToDate, !arguments.has("quiet") {
      try console.printResult(
        BuildReport.text(of: report, usesColor: console.output.usesColor))
    } else if showsSummary(on: console) {
      console.printMessage("\(TerminalText.escaped(output)): is up to date\n")
    }
  }

  private func report(_ summary: BuildSummary, seconds: Double, on console: Console) throws {
    if showsSummary(on: console) {
      console.printMessage(BuildReport.text(of: summary, seconds: seconds) + "\n")
    }
    if arguments.has("json") {
      try console.printResult(BuildReport.json(of: summary, seconds: seconds).text)
    }
  }
}
