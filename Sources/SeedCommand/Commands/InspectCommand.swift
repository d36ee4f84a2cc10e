import SeedBuilder
import SeedFiles
import SeedModel

/// `seed inspect`: describes a database.
struct InspectCommand: Command {
  static let operand = OperandSpecification(
    name: "database", count: 1...1, help: "The database file to read. It is not changed.",
    missingHint: "give the path of a database file")

  static let specification = CommandSpecification(
    name: "inspect", summary: "Describe a database: tables, rows, bytes, keys, stamp.",
    discussion: [
      "The page of --html stands alone: it loads nothing, runs nothing, and is the same whenever "
        + "the database is. It shows the first rows of each table."
    ],
    operand: operand,
    options: [
      OptionSpecification("json", help: "Print everything as JSON."),
      OptionSpecification(
        "html", .value(placeholder: "FILE"),
        help: "Write a page with a diagram of the tables instead; \"-\" prints it."),
    ],
    conflicts: [("json", "html")],
    examples: [
      "seed inspect default.sqlite", "seed inspect default.sqlite --json",
      "seed inspect default.sqlite --html default.html",
    ])

  private let path: String
  private let isJSON: Bool
  /// Where the page goes, if one is wanted.
  private let page: String?

  init(parsing arguments: ParsedArguments) {
    path = arguments.operands.first ?? ""
    isJSON = arguments.has("json")
    page = arguments.value(of: "html")
  }

  func validate() throws {
    if path.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: "inspect", hint: "give the path of a database file")
    }
    if page?.isEmpty == true {
      throw UsageError(.emptyPath("page"), command: "inspect", hint: "give the path of a file")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    if let page {
      try write(to: page, on: console)
    } else {
      let report = try Inspection.report(onDatabaseAt: path)
      try console.printResult(isJSON ? report.json.text : InspectionText.text(of: report))
    }
    return .success
  }

  private func write(to page: String, on console: Console) throws {
    let contents = try Inspection.contents(ofDatabaseAt: path)
    let database = DatabasePage(contents, inputs: RecordedInput.read(besideDatabaseAt: path))
    if page == "-" {
      try database.write { try console.printResult($0.text) }
      return
    }
    let file = try PendingFile(for: page, replacing: .htmlPage)
    try database.write { piece in
      let bytes = Array(piece.text.utf8)
      // A local function cannot be generic over the typed error, so the result is carried out.
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(PublishError) in try file.write(buffer) }
      }
      try result.get()
    }
    try file.publish()
    if console.error.isTerminal {
      let count = contents.report.tables.count { $0.kind == .table || $0.kind == .virtual }
      let tables = Readable.count(Int64(count), "table")
      console.printMessage("\(TerminalText.escaped(page)): a page about \(tables)\n")
    }
  }
}
