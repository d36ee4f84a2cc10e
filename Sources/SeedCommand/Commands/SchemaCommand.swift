import SeedBuilder

/// `seed schema`: prints the tables that a build would make.
struct SchemaCommand: Command {
  static let specification = CommandSpecification(
    name: "schema", summary: "Print the tables that a build would make, as SQL.",
    discussion: ["Reads all of the sources and writes no file."],
    operand: BuildSubject.operand, options: BuildSubject.options,
    examples: ["seed schema Events.xml > schema.sql"])

  private let subject: BuildSubject
  private let fetch: SourceFetch

  init(parsing arguments: ParsedArguments) throws {
    subject = try BuildSubject(arguments)
    fetch = try SourceFetch(arguments)
  }

  func validate() throws {
    try subject.validate()
    try fetch.validate(subject)
  }

  func run(on console: Console) throws -> ExitCode {
    let fetched = try fetch.run(subject, isTrial: true) { console.report($0) }
    var options = subject.buildOptions(output: "", fetched: fetched)
    options.onDiagnostic = { console.report($0) }
    for warning in subject.warnings { console.report(warning) }
    let sql = try Build.schema(options)
    try console.printResult(sql.isEmpty || sql.hasSuffix("\n") ? sql : sql + "\n")
    return .success
  }
}
