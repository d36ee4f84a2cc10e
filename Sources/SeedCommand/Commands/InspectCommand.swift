import SeedBuilder
import SeedCoreData
import SeedFiles
import SeedModel
import SeedSQLite
import SeedStreams

/// `seed inspect`: describes a database.
struct InspectCommand: Command {
  static let operand = OperandSpecification(
    name: "database", count: 1...1, help: "The database file to read. It is not changed.",
    missingHint: "give the path of a database file")

  /// The option that names the model of a store.
  static let modelName = "model"

  /// The option for a command that looks at stores.
  static func modelOption(_ verb: String) -> OptionSpecification {
    OptionSpecification(
      modelName, .value(placeholder: "MODEL"),
      help: "The model (.xcdatamodeld) of a Core Data store, to \(verb) it in full.")
  }

  static let specification = CommandSpecification(
    name: "inspect", summary: "Describe a database: tables, rows, bytes, keys, stamp.",
    discussion: [
      "The page of --html stands alone: it loads nothing, runs nothing, and is the same whenever "
        + "the database is. It shows the first rows of each table.",
      "A Core Data store is shown by its entities. Without the model, names are those of columns, in "
        + "capitals, and types and relationships are shown as far as the store tells.",
    ],
    operand: operand,
    options: [
      OptionSpecification("json", help: "Print everything as JSON."),
      OptionSpecification(
        "html", .value(placeholder: "FILE"),
        help: "Write a page with a diagram of the tables instead; \"-\" prints it."),
      modelOption("show"), StoreArguments.versionOption,
    ],
    conflicts: [("json", "html")],
    examples: [
      "seed inspect default.sqlite", "seed inspect default.sqlite --json",
      "seed inspect default.sqlite --html default.html",
      "seed inspect Store.sqlite --model Model.xcdatamodeld",
    ])

  private let path: String
  private let isJSON: Bool
  /// Where the page goes, if one is wanted.
  private let page: String?
  private let model: InspectedModel

  init(parsing arguments: ParsedArguments) {
    path = arguments.operands.first ?? ""
    isJSON = arguments.has("json")
    page = arguments.value(of: "html")
    model = InspectedModel(arguments)
  }

  func validate() throws {
    if path.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: "inspect", hint: "give the path of a database file")
    }
    if page?.isEmpty == true {
      throw UsageError(.emptyPath("page"), command: "inspect", hint: "give the path of a file")
    }
    try model.validate()
  }

  func run(on console: Console) throws -> ExitCode {
    let inspection = StoreInspection(model: try model.read(on: console))
    if let page {
      try write(inspection, to: page, on: console)
    } else {
      let (report, (store, streams)) = try Inspection.report(onDatabaseAt: path) {
        connection throws(SQLiteError) in
        (try inspection.report(on: connection), try StreamPositions.read(from: connection))
      }
      try console.printResult(text(of: report, store, streams))
    }
    return .success
  }

  private func text(
    of report: DatabaseReport, _ store: StoreReport?, _ streams: [StreamCursor]
  ) -> String {
    guard isJSON else {
      return store.map { StoreText.text(of: report, $0, streams) }
        ?? InspectionText.text(of: report, streams)
    }
    guard case .object(var members) = report.json else { return report.json.text }
    if !streams.isEmpty { members.append(.init("streams", StreamPositions.json(of: streams))) }
    if let store { members.append(.init("store", store.json)) }
    return JSONValue.object(members).text
  }

  private func write(_ inspection: StoreInspection, to page: String, on console: Console) throws {
    let (described, store) = try Inspection.contents(ofDatabaseAt: path) {
      connection throws(SQLiteError) in try inspection.report(on: connection)
    }
    let contents = store.map { StorePage.contents(described, $0) } ?? described
    let database = DatabasePage(
      contents, inputs: RecordedInput.read(besideDatabaseAt: path), isStore: store != nil)
    if page == "-" {
      try database.write { try console.printResult($0.text) }
      return
    }
    let file = try PendingFile(for: page, replacing: .file(.htmlPage))
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
