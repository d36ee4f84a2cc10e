import SeedBuilder

/// `seed schema`: prints the tables that a build would make.
struct SchemaCommand: Command {
  static let specification = CommandSpecification(
    name: "schema", summary: "Print the tables that a build would make, as SQL.",
    discussion: ["Reads all of the sources and writes no file."],
    operand: SourceArguments.operand,
    options: SourceArguments.options + LayoutArguments.options,
    examples: ["seed schema Events.xml > schema.sql"])

  private let sources: SourceArguments

  init(parsing arguments: ParsedArguments) {
    sources = SourceArguments(arguments)
  }

  func validate() throws {
    try sources.validate()
  }

  func run(on console: Console) throws -> ExitCode {
    var options = sources.buildOptions(output: "")
    options.onDiagnostic = { console.report($0) }
    let sql = try Build.schema(options)
    try console.printResult(sql.isEmpty || sql.hasSuffix("\n") ? sql : sql + "\n")
    return .success
  }
}
