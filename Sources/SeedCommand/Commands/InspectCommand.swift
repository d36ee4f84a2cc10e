import SeedBuilder
import SeedModel

/// `seed inspect`: describes a database.
struct InspectCommand: Command {
  static let operand = OperandSpecification(
    name: "database", count: 1...1, help: "The database file to read. It is not changed.",
    missingHint: "give the path of a database file")

  static let specification = CommandSpecification(
    name: "inspect", summary: "Describe a database: tables, rows, bytes, keys, stamp.",
    operand: operand,
    options: [OptionSpecification("json", help: "Print everything as JSON.")],
    examples: ["seed inspect default.sqlite", "seed inspect default.sqlite --json"])

  private let path: String
  private let isJSON: Bool

  init(parsing arguments: ParsedArguments) {
    path = arguments.operands.first ?? ""
    isJSON = arguments.has("json")
  }

  func validate() throws {
    if path.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: "inspect", hint: "give the path of a database file")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    let report = try Inspection.report(onDatabaseAt: path)
    try console.printResult(isJSON ? report.json.text : InspectionText.text(of: report))
    return .success
  }
}
