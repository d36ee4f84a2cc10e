import SeedFiles
import SeedModel
import SeedProject
import SeedSQLite
import SeedStreams
import SeedTransport

/// `seed stream`: brings a database up to date with what was published.
struct StreamCommand: Command {
  static let specification = CommandSpecification(
    name: "stream", summary: "Bring a database up to date with a published stream.",
    discussion: [
      "What an app does with the library after its first launch: the changes since the position "
        + "that the database carries are fetched, checked against their digests, and applied, each "
        + "step in one transaction with the new position. Where the changes are no longer kept, "
        + "a snapshot is merged. Tables and columns of the app's own are never written.",
      "What fails and may go away by itself is tried again after a wait, as long as the server asks "
        + "for with Retry-After. Where it asks for more than two minutes, --once ends with status 69; "
        + "--follow asks again after an hour at the latest.",
      "The database is one that \"seed publish\" has published, or a copy of it. The address is "
        + "that of the folder with head.json; the path of such a folder, or of the directory that "
        + "\"seed publish --to\" was given, will do, too. With --dynamic it is the endpoint of a "
        + "server, such as /v1/streams/NAME of \"seed serve\". A user and a password in an address "
        + "are sent as basic authentication; those and its query are never shown.",
    ],
    operand: OperandSpecification(
      name: "database", count: 1...1, help: "The database.",
      missingHint: "give a database that \"seed publish\" has published"),
    options: [
      OptionSpecification("once", help: "Go to the newest position and end."),
      OptionSpecification("follow", help: "Stay at the newest position until interrupted."),
      OptionSpecification(
        "source", .value(placeholder: "URL"),
        help:
          "Where the stream is published. Without it, where the \(ProjectFile.defaultName) of the "
          + "current folder says that it is."),
      HeaderArguments.option, TrustedKeyArguments.option,
      OptionSpecification(
        "dynamic",
        help: "The source is the endpoint of a server that knows what has changed."),
      OptionSpecification(
        "stream", .value(placeholder: "NAME"),
        help: "The stream's name. Without it, the only one that the database carries."),
      OptionSpecification(
        "retry-delay", .value(placeholder: "SECONDS"),
        help: "The bound of the first wait after a failure, which doubles. Without it, 0.5."),
      OptionSpecification(
        "json", help: "Print each result as JSON in a line on the standard output."),
      OptionSpecification("verbose", help: "Print each result even where there is no terminal."),
    ],
    conflicts: [("once", "follow"), ("json", "verbose"), ("dynamic", "trusted-key")],
    examples: [
      "seed stream app.sqlite --once --source https://cdn.example/catalog/v1",
      "seed stream app.sqlite --follow --source https://cdn.example/catalog/v1 --json",
      "seed stream app.sqlite --once --source public/catalog/v1",
      "seed stream app.sqlite --once --header 'Authorization: Bearer $TOKEN'",
      "seed stream app.sqlite --once --source public --trusted-key public.pem",
      "seed stream app.sqlite --once --dynamic --source https://api.example/streams/x",
    ])

  private let arguments: ParsedArguments
  private let headers: HeaderArguments
  private let trustedKeys: TrustedKeyArguments
  private let options: StreamOptions

  init(parsing arguments: ParsedArguments) throws {
    self.arguments = arguments
    headers = try HeaderArguments(arguments)
    trustedKeys = try TrustedKeyArguments(arguments)
    var options = StreamOptions()
    options.firstPollDelay = .zero
    // Somebody waits for the end of a run that has one.
    if arguments.has("once") { options.longestRetryAfter = .seconds(120) }
    if let text = arguments.value(of: "retry-delay") {
      guard let seconds = Double(text), seconds >= 0, seconds <= 3600 else {
        throw UsageError(
          .invalidValue(text, option: "--retry-delay", allowed: []), command: arguments.command,
          hint: "give a number of seconds, at most 3600")
      }
      options.retryDelay = .milliseconds(Int64((seconds * 1000).rounded()))
    }
    self.options = options
  }

  private var database: String { arguments.operands.first ?? "" }

  /// Where a stream is: as the command line says, else as the project file does.
  private func source(of stream: String) throws -> String {
    if let source = arguments.value(of: "source") { return source }
    let project = try ProjectFile.read(ProjectFile.defaultName)
    guard let rule = project.streams.first(where: { $0.name == stream }), let source = rule.source
    else {
      throw UsageError(
        .missingOption("--source"), command: arguments.command,
        hint: "give it, or name the \"source\" of stream \"\(stream)\" in "
          + ProjectFile.defaultName)
    }
    guard arguments.has("dynamic") || AddressArgument.isAddress(source),
      let problem = AddressArgument.problem(of: source)
    else { return source }
    let shown = HTTPURL.shown(source)
    throw ProjectErrors([
      ProjectError(
        .unusableValue(
          "\"\(shown)\"", key: "source",
          hint: TransportError(.invalidURL(problem), url: shown).message),
        at: rule.location ?? SourceLocation(file: ProjectFile.defaultName))
    ])
  }

  /// The stream of a name, with the credentials of the command line.
  private func stream(_ name: String) throws -> TableStream {
    let source = try source(of: name)
    var options = options
    options.trustedKeys = try trustedKeys.keys()
    let fields = try headers.resolved(for: HTTPURL.shown(source))
    if !fields.isEmpty {
      let values = Dictionary(fields.map { ($0.name, $0.value) }) { _, last in last }
      options.credentials = { _ in values }
    }
    return TableStream(
      name, database: database,
      from: arguments.has("dynamic")
        ? .dynamic(source) : .static(try PublishedPlace.folder(source, of: name)),
      options: options)
  }

  func validate() throws {
    if database.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: arguments.command, hint: "give the path of a file")
    }
    guard arguments.has("once") || arguments.has("follow") else {
      throw UsageError(
        .missingChoice("--once", "--follow"), command: arguments.command,
        hint: "give --once to end at the newest position, or --follow to stay there")
    }
    let source = arguments.value(of: "source")
    let isRuled = try source == nil && FileSystem.live.status(ProjectFile.defaultName) != nil
    guard isRuled || source?.isEmpty == false else {
      throw UsageError(
        .missingOption("--source"), command: arguments.command,
        hint: "give the address of the folder with head.json")
    }
    guard let source else { return }
    if arguments.has("dynamic") {
      try AddressArgument.validateAddress(source, command: arguments.command)
    } else {
      try AddressArgument.validate(source, command: arguments.command)
    }
    try headers.validate(for: source, command: arguments.command)
  }

  func run(on console: Console) throws -> ExitCode {
    let report = StreamReport(
      console: console, isJSON: arguments.has("json"), isVerbose: arguments.has("verbose"))
    let name: String
    do {
      name = try streamName()
    } catch let error as StreamError {
      try report.print(error, after: nil)
      throw error
    }
    let stream = try stream(name)
    let display = StreamDisplay(console)
    let waits = LongWaits(console)
    if arguments.has("follow") {
      follow(stream, display, waits, report)
      return .interrupted
    }
    defer { console.clearBar() }
    var last: StreamStatus?
    do {
      let result = try stream.syncBlocking { status in
        last = status
        display.show(status)
        waits.report(status)
      }
      try report.print(result, of: name)
      return .success
    } catch let error as StreamError {
      try report.print(error, after: last)
      throw error
    }
  }

  /// Follows until the process is interrupted.
  private func follow(
    _ stream: TableStream, _ display: StreamDisplay, _ waits: LongWaits, _ report: StreamReport
  ) {
    let cancellation = HTTPCancellation()
    stream.follow(cancellation: cancellation) { status in
      display.show(status)
      waits.report(status)
      do {
        if let result = status.result { try report.print(result, of: stream.name) }
        if let error = status.error, status.phase != .waiting {
          try report.reportAndPrint(error, after: status)
        }
      } catch {
        // Nobody reads the results any more.
        cancellation.cancel()
      }
    }
  }

  /// The name that was given, or that of the only stream that the database carries.
  private func streamName() throws -> String {
    if let name = arguments.value(of: "stream") { return name }
    // No stream is to be named that nobody has named.
    let unknown = ""
    guard try FileSystem.live.status(database)?.kind == .regular else {
      throw StreamError(.noDatabase(path: database), stream: unknown, phase: .opening)
    }
    let names: [String]
    do throws(CursorError) {
      let connection = try self.connection()
      let placed = try CursorTables.cursors(in: connection).map(\.stream)
      // What is declared and has no place yet is the stream that is meant, and that lacks it.
      let declared = try CursorTables.declarations(in: connection).map(\.stream)
      names = placed.isEmpty ? Array(Set(declared)).sorted() : placed
    } catch {
      switch error {
      case .database(let cause):
        throw StreamError(
          .database(code: cause.code, message: "\(database): \(cause.message)"), stream: unknown,
          phase: .opening)
      case .malformed(let words):
        throw StreamError(.unsupportedFormat(words), stream: unknown, phase: .opening)
      }
    }
    guard names.count <= 1 else {
      throw UsageError(
        .missingOption("--stream"), command: arguments.command,
        hint: "name one: " + names.map { "\"\($0)\"" }.joined(separator: ", "))
    }
    guard let name = names.first else {
      throw StreamError(.notSeeded, stream: unknown, phase: .opening)
    }
    return name
  }

  private func connection() throws(CursorError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(path: database, mode: .readOnly)
      // Another run may be changing it to WAL just then.
      connection.setBusyTimeout(milliseconds: 5000)
      return connection
    } catch {
      throw .database(error)
    }
  }
}
