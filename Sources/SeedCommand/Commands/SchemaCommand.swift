import SeedBuilder

/// `seed schema`: prints the tables that a build would make.
struct SchemaCommand: Command {
  static let specification = CommandSpecification(
    name: "schema", summary: "Print the tables that a build would make, as SQL.",
    discussion: ["Reads all of the sources and writes no file."],
    operand: BuildSubject.operand, options: BuildSubject.options,
    examples: ["seed schema Events.xml > schema.sql"])

  private let subject: BuildSubject

  init(parsing arguments: ParsedArguments) throws {
    subject = try BuildSubject(arguments)
  }

  func validate() throws {
    try subject.validate()
  }

  func run(on console: Console) throws -> ExitCode {
    var options = subject.buildOptions(output: "")
    options.onDiagnostic = { console.report($0) }
    let sql = try Build.schema(options)
    try console.printResult(sql.isEmpty || sql.hasSuffix("\n") ? sql : sql + "\n")
    return .success
  }
}
