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
      "The tables follow from the data. The database is written under a temporary name, checked "
        + "and renamed, so that the output is the old file or the complete new one. The same "
        + "sources and options always give the same bytes."
    ],
    operand: SourceArguments.operand,
    options: [
      OptionSpecification(
        "output", letter: "o", .value(placeholder: "FILE"),
        help: "The database to write. Without it, \(defaultOutput).")
    ] + SourceArguments.options + LayoutArguments.options + [
      OptionSpecification(
        "page-size", .choice(pageSizes.map(String.init), placeholder: "N"),
        help: "The page size in bytes, a power of two from 512 to 65536. Without it, 4096."),
      OptionSpecification(
        "analyze", help: "Collect the statistics that help SQLite to plan queries."),
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
    ],
    examples: [
      "seed build Events.xml -o default.sqlite",
      "curl -s https://example.com/events.xml | seed build - -o events.sqlite",
    ])

  private static let pageSizes = (9...16).map { 1 << $0 }

  private let arguments: ParsedArguments
  private let sources: SourceArguments
  private let output: String

  init(parsing arguments: ParsedArguments) {
    self.arguments = arguments
    sources = SourceArguments(arguments)
    output = arguments.value(of: "output") ?? Self.defaultOutput
  }

  func validate() throws {
    try sources.validate()
    if output.isEmpty {
      throw UsageError(
        .emptyPath("output"), command: arguments.command, hint: "give the path of a file")
    }
    if output == "-" {
      throw UsageError(.outputIsStandardOutput, command: arguments.command)
    }
    for input in sources.inputs where try isOutput(input) {
      throw UsageError(
        .outputIsInput(output), command: arguments.command, hint: "write to another file")
    }
  }

  /// Whether an input is the very file that would be replaced, under whatever name.
  private func isOutput(_ input: BuildInput, files: FileSystem = .live) throws -> Bool {
    // What cannot be looked at is reported by the build, which knows what to say about it.
    guard let output = try? files.status(output) else { return false }
    switch input.origin {
    case .file(let path): return (try? files.status(path))?.identity == output.identity
    case .standardInput:
      return (try? files.descriptorStatus(0, "<stdin>"))?.identity == output.identity
    }
  }

  func run(on console: Console) throws -> ExitCode {
    let start = console.now()
    let progress = ProgressDisplay(
      ProgressDisplay.Mode(
        isWanted: arguments.has("progress"),
        isRefused: arguments.has("no-progress") || arguments.has("quiet"), on: console.error),
      console: console)
    var options = sources.buildOptions(output: output)
    options.pageSize = arguments.value(of: "page-size").flatMap { Int($0) } ?? options.pageSize
    options.analyzes = arguments.has("analyze")
    options.onProgress = { progress.update($0) }
    if !arguments.has("quiet") { options.onDiagnostic = { console.report($0) } }
    defer { console.clearBar() }
    let summary = try Build.run(options)
    try report(summary, seconds: console.now() - start, on: console)
    return .success
  }

  private func report(_ summary: BuildSummary, seconds: Double, on console: Console) throws {
    let isShown = console.error.isTerminal || arguments.has("verbose")
    if isShown, !arguments.has("quiet") {
      console.printMessage(BuildReport.text(of: summary, seconds: seconds) + "\n")
    }
    if arguments.has("json") {
      try console.printResult(BuildReport.json(of: summary, seconds: seconds).text)
    }
  }
}
