import SeedBuilder
import SeedCoreData
import SeedModel

/// `seed schema`: prints the tables that a build would make.
struct SchemaCommand: Command {
  static let modelOption = OptionSpecification(
    "model", .value(placeholder: "MODEL"),
    help: "Print what Core Data makes of a model (.xcdatamodeld): for each entity its table and "
      + "columns, then the statements. Reads no sources.")

  static let specification = CommandSpecification(
    name: "schema", summary: "Print the tables that a build would make, as SQL.",
    discussion: ["Reads all of the sources and writes no file."],
    operand: BuildSubject.operand,
    options: BuildSubject.options
      + [modelOption, StoreArguments.versionOption].under(BuildSubject.schemaHeading),
    conflicts: [("model", "schema"), ("model", "config")],
    examples: [
      "seed schema Events.xml > schema.sql", "seed schema --model Model.xcdatamodeld",
    ])

  /// What the tables are of.
  private enum Subject {
    case build(BuildSubject, SourceFetch)
    case model(StoreOptions)
  }

  private let arguments: ParsedArguments
  private let subject: Subject

  init(parsing arguments: ParsedArguments) throws {
    self.arguments = arguments
    guard let model = arguments.value(of: Self.modelOption.name) else {
      subject = .build(try BuildSubject(arguments), try SourceFetch(arguments))
      return
    }
    if let operand = arguments.operands.first {
      throw UsageError(
        .unexpectedOperand(operand), command: arguments.command,
        hint: "leave it out: a model is all that --model reads")
    }
    subject = .model(StoreArguments(arguments, model: model).options)
  }

  func validate() throws {
    switch subject {
    case .build(let subject, let fetch):
      try subject.validate()
      try fetch.validate(subject)
      try StoreArguments.refuseOptions(arguments, schema: subject.schema)
    case .model(let model): try StoreArguments(arguments, model: model.model).validate()
    }
  }

  func run(on console: Console) throws -> ExitCode {
    let sql =
      switch subject {
      case .build(.store(let store), _) where CoreDataSchema(store.schema) == .model:
        try schema(of: store.options, on: console)
      case .build(let subject, let fetch): try schema(of: subject, fetch, on: console)
      case .model(let model): try schema(of: model, on: console)
      }
    try console.printResult(sql.isEmpty || sql.hasSuffix("\n") ? sql : sql + "\n")
    return .success
  }

  private func schema(
    of subject: BuildSubject, _ fetch: SourceFetch, on console: Console
  ) throws -> String {
    let fetched = try fetch.run(subject, isTrial: true) { console.report($0) }
    var options = subject.buildOptions(output: "", fetched: fetched)
    options.onDiagnostic = { console.report($0) }
    for warning in subject.warnings { console.report(warning) }
    if let schema = subject.schema, CoreDataSchema(schema) == .model {
      return try self.schema(of: StoreArguments(arguments, model: schema).options, on: console)
    }
    let declared = options.mapping.schema ?? subject.schema.map { Located($0) }
    if let schema = declared, CoreDataSchema(schema.value) == .store {
      throw BuildError(
        .usage,
        [
          Diagnostic(
            .error, "the schema of a Core Data store is its own", at: schema.location,
            hint: "\"seed inspect \(schema.value)\" shows it")
        ])
    }
    return try Build.schema(options)
  }

  private func schema(of options: StoreOptions, on console: Console) throws -> String {
    let model = try BuildFailure.described(output: "the schema") { try StoreModel(options) }
    for warning in model.warnings { console.report(warning) }
    return ModelListing(model).text
  }
}
