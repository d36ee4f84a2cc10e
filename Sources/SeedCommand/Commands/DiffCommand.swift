import SeedBuilder
import SeedModel

/// `seed diff`: shows what has to happen to one database to make it another.
struct DiffCommand: Command {
  static let specification = CommandSpecification(
    name: "diff", summary: "Compare two databases: schema, and rows by their key.",
    discussion: [
      "Prints what was added (+), removed (-) and changed (~) from the old database to the new "
        + "one, with the first rows of each kind, and exits with status 1. Silent, with status "
        + "0, when the content is the same.",
      "Rows are recognised by the primary key; those of a table without one are compared as "
        + "wholes. Values are the same only if type and bytes are: 1, 1.0 and '1' differ. Not "
        + "compared: page size and order of pages, the statistics of ANALYZE, generated columns, "
        + "the tables _seed*.",
    ],
    operand: OperandSpecification(
      name: "database", count: 2...2,
      help: "The old database, then the new one. Neither is changed.",
      missingHint: "give the old database and the new one",
      places: ["old database", "new database"]),
    options: [
      OptionSpecification("json", help: "Print the difference as JSON.")
    ],
    examples: [
      "seed diff released.sqlite default.sqlite",
      "seed diff released.sqlite default.sqlite --json",
    ])

  private let paths: [String]
  private let isJSON: Bool

  init(parsing arguments: ParsedArguments) {
    paths = arguments.operands
    isJSON = arguments.has("json")
  }

  func validate() throws {
    if paths.contains("") {
      throw UsageError(
        .emptyPath("database"), command: "diff", hint: "give the path of a database file")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    let difference = try DatabaseDiff.difference(from: paths[0], to: paths[1])
    if isJSON {
      let paths: [JSONValue.Member] = [
        JSONValue.Member("old", .string(paths[0])), JSONValue.Member("new", .string(paths[1])),
      ]
      try console.printResult(JSONValue.object(paths + difference.json).text)
    } else {
      for note in difference.notes { console.report(Diagnostic(.note, note)) }
      if !difference.isEmpty {
        try console.printResult(DifferenceText.text(of: difference))
      } else if console.output.isTerminal {
        try console.printResult("no difference\n")
      }
    }
    return difference.isEmpty ? .success : .finding
  }
}
