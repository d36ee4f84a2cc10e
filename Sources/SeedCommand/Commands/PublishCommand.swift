import SeedBuilder
import SeedModel
import SeedPublisher
import SeedTransport

/// `seed publish`: makes a database the newest state of a stream.
struct PublishCommand: Command {
  static let specification = CommandSpecification(
    name: "publish", summary: "Publish a database as the newest state of a stream.",
    discussion: [
      "Compares the database with what was published last and writes the difference, and now and "
        + "then the whole, as files below DIRECTORY/STREAM/v1, which any web server or object "
        + "store serves. Apps that ship an earlier database fetch what they lack, \"seed stream\" "
        + "does so on the command line. Nothing has changed: nothing is written there.",
      "At every moment the directory shows the state from before or the new one. The last step "
        + "writes the position into the database itself, which is then the one to ship with the "
        + "app; its manifest and its packed form, if they lie beside it, are brought up to date.",
      "Carried are the tables that the database declares for the stream in _seed_stream_table, "
        + "else all. Each needs a primary key, or a UNIQUE index over columns that are NOT NULL. "
        + "Tables and columns may be added, not taken away. A column that was NOT NULL in any "
        + "database that was published needs a value in each row.",
    ],
    operand: OperandSpecification(
      name: "database", count: 1...1,
      help: "The database, new or changed since it was published.",
      missingHint: "give a database made by \"seed build\""),
    options: [
      OptionSpecification(
        "to", .value(placeholder: "DIRECTORY"),
        help: "Where the streams are; made if it is missing."),
      OptionSpecification(
        "stream", .value(placeholder: "NAME"),
        help: "The stream. Without it, the only one that the database declares, else main, unless "
          + "the directory has other ones only."),
      OptionSpecification(
        "sign", .value(placeholder: "KEY"),
        help: "Sign the head with an Ed25519 private key, a file as openssl genpkey writes it."),
      OptionSpecification(
        "keep", .value(placeholder: "DAYS"),
        help: "How long files stay that are not needed any more. Without it, 7."),
      OptionSpecification(
        "poll-after", .value(placeholder: "SECONDS"),
        help: "How long apps wait before they ask again. Without it, 300."),
      OptionSpecification(
        "new-epoch",
        help: "Start a new history: every app fetches the whole state, whatever it has."),
      OptionSpecification("json", help: "Print the result as JSON on the standard output."),
      OptionSpecification("verbose", help: "Print the result even where there is no terminal."),
    ],
    conflicts: [("json", "verbose")],
    examples: [
      "seed publish default.sqlite --to public",
      "seed publish default.sqlite --to public --stream catalog --keep 14 --json",
      "seed publish default.sqlite --to public --sign key.pem",
    ])

  private let path: String
  private let directory: String?
  private let keyPath: String?
  private let options: PublishOptions
  private let isJSON: Bool
  private let isVerbose: Bool

  init(parsing arguments: ParsedArguments) throws {
    path = arguments.operands.first ?? ""
    directory = arguments.value(of: "to")
    keyPath = arguments.value(of: "sign")
    isJSON = arguments.has("json")
    isVerbose = arguments.has("verbose")
    var options = PublishOptions()
    options.stream = arguments.value(of: "stream")
    options.startsEpoch = arguments.has("new-epoch")
    options.keepDays =
      try Self.number("keep", of: arguments, 0...36500, "days") ?? options.keepDays
    options.pollAfterSeconds =
      try Self.number("poll-after", of: arguments, 1...604_800, "seconds")
      ?? options.pollAfterSeconds
    self.options = options
  }

  private static func number(
    _ option: String, of arguments: ParsedArguments, _ range: ClosedRange<Int64>, _ unit: String
  ) throws -> Int64? {
    guard let text = arguments.value(of: option) else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw UsageError(
        .invalidValue(text, option: "--\(option)", allowed: []), command: arguments.command,
        hint: "give a number of \(unit) from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func validate() throws {
    if path.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: "publish", hint: "give the path of a database file")
    }
    guard let directory else {
      throw UsageError(
        .missingOption("--to"), command: "publish", hint: "say where the stream goes")
    }
    if directory.isEmpty {
      throw UsageError(
        .emptyPath("directory"), command: "publish", hint: "give the path of a directory")
    }
    if AddressArgument.isAddress(directory) {
      throw UsageError(
        .addressAsDirectory(HTTPURL.shown(directory), option: "--to"), command: "publish",
        hint: "publish into a directory, and upload that: the objects first, head.json last")
    }
    if keyPath?.isEmpty == true {
      throw UsageError(
        .emptyPath("key"), command: "publish", hint: "give the path of a file with a private key")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    var options = options
    options.signingKey = try keyPath.map { path throws(StreamPublishError) in
      try SigningKey(pemAt: path)
    }
    let result = try StreamPublisher(options).publish(path, to: directory ?? "")
    try PublishedManifest.refresh(besideDatabaseAt: path)
    try ArchiveFile.renew(beside: path)
    if let size = result.segmentBytes, size > PublishReport.largeSegmentBytes {
      console.report(
        Diagnostic(
          .warning, "the change takes \(Readable.bytes(size)), which every app has to fetch",
          at: SourceLocation(file: path), hint: "publish more often, or less at once"))
    }
    for diagnostic in PublishReport.warnings(of: result, path: path) { console.report(diagnostic) }
    if isJSON {
      try console.printResult(PublishReport.json(of: result).text)
    } else if console.error.isTerminal || isVerbose {
      console.printMessage(PublishReport.text(of: result, path: path) + "\n")
    }
    return .success
  }
}
