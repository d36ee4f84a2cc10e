import SeedBuilder
import SeedFetch
import SeedFiles
import SeedInput
import SeedModel
import SeedTransport

/// The sources of a command and the options about how to read them.
struct SourceArguments {
  static let operand = OperandSpecification(
    name: "source", count: 1...Int.max,
    help: "A file to read, or an http:// or https:// address; \"-\" is the standard input. Several "
      + "become one database.",
    missingHint: "give a file to read, or \"-\" for the standard input")

  static let options = readingOptions + schemaOptions

  /// The options about what the sources say.
  static let readingOptions =
    [
      OptionSpecification(
        "format", .choice(InputFormat.allCases.map(\.rawValue)),
        help: "The format of the sources. Without it, their names and content tell."),
      OptionSpecification(
        "table", .value(placeholder: "NAME"),
        help: "The table for records without a name of their own, such as the lines of a CSV file. "
          + "Without it, they are called after the file, and those of the standard input \"record\"."
      ),
      OptionSpecification(
        "encoding", .value(placeholder: "NAME"),
        help: "The encoding of the sources, such as ISO-8859-1, whatever they say themselves."),
      OptionSpecification(
        "date-format", .value(placeholder: "PATTERN"),
        help: "How dates are written in the sources, such as dd.MM.yyyy."),
      OptionSpecification(
        "time-zone", .value(placeholder: "ZONE"),
        help: "The zone of times that name none, such as +01:00. Without it, UTC."),
    ]

  /// The options about the tables that they fill.
  static let schemaOptions =
    [
      OptionSpecification(
        "schema", .value(placeholder: "FILE"),
        help: "The schema to fill: an SQL script, a database as a template, or a Core Data model "
          + "(.xcdatamodeld). Without it, the tables follow from the data."),
      OptionSpecification(
        "ignore-extra",
        help: "Leave out values and records that the schema has no column or table for."),
    ]

  private let arguments: ParsedArguments
  private let layout: LayoutArguments

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
    layout = LayoutArguments(arguments)
  }

  /// The sources that are at hand: all but those at an address.
  var localInputs: [BuildInput] {
    arguments.operands.filter { !HTTPURL.isAddress($0) }.map(input)
  }

  /// What is declared of an operand; of an address, about each of its pages.
  private func input(_ operand: String) -> BuildInput {
    var input: BuildInput = operand == "-" ? .standardInput : .file(operand)
    input.format = arguments.value(of: "format").flatMap { InputFormat(rawValue: $0) }
    input.encoding = arguments.value(of: "encoding")
    input.recordName = arguments.value(of: "table")
    input.layout = layout.layout
    return input
  }

  /// The sources that have to be fetched first, with some headers.
  func fetchSources(headers: [FetchSource.Field]) -> [FetchSource] {
    arguments.operands.filter(HTTPURL.isAddress).map { address in
      var source = FetchSource(address, headers: headers)
      source.isFormatDeclared = arguments.has("format")
      return source
    }
  }

  /// The schema to fill, if one is given.
  var schema: Located<String>? { arguments.value(of: "schema").map { Located($0) } }

  /// Options for a build of these sources, in their order.
  func buildOptions(output: String, fetched: FetchedInputs) -> BuildOptions {
    var pages = fetched.pages[...]
    let inputs = arguments.operands.flatMap { operand in
      HTTPURL.isAddress(operand)
        ? FetchedInputs.inputs(pages.popFirst(), like: input(operand)) : [input(operand)]
    }
    var options = BuildOptions(inputs: inputs, output: output)
    options.mapping.schema = schema
    options.mapping.ignoresExtra = arguments.has("ignore-extra")
    options.dateFormat = arguments.value(of: "date-format")
    options.timeZone = arguments.value(of: "time-zone")
    return options
  }

  /// Checks what can be told from the names.
  ///
  /// - Throws: ``UsageError``.
  func validate() throws(UsageError) {
    if arguments.operands.contains("") {
      throw UsageError(
        .emptyPath("source"), command: arguments.command, hint: "give the path of a file")
    }
    if arguments.operands.count(where: { $0 == "-" }) > 1 {
      throw UsageError(
        .repeatedStandardInput, command: arguments.command, hint: "give \"-\" once")
    }
    for option in ["table", "encoding", "date-format", "time-zone", "schema"]
    where arguments.value(of: option)?.isEmpty == true {
      throw UsageError(
        .missingValue(option: "--\(option)"), command: arguments.command,
        hint: "give one, or leave it out")
    }
    if let table = arguments.value(of: "table"), ReservedNames.has(table) {
      throw UsageError(
        .invalidValue(table, option: "--table", allowed: []), command: arguments.command,
        hint: "choose another: \(ReservedNames.hint)")
    }
    try layout.validate()
    try checkSchemes()
    try checkDistinct()
    for (index, operand) in arguments.operands.enumerated() where HTTPURL.isAddress(operand) {
      guard arguments.operands[..<index].contains(operand) else { continue }
      throw UsageError(
        .repeatedSource(operand), command: arguments.command, hint: "give each source once")
    }
  }

  /// Options that are given in vain.
  var warnings: [Diagnostic] {
    let isUsed = arguments.operands.map(input).contains {
      FormatDetection.isDelimited($0.format, name: $0.name)
    }
    return (isUsed ? [] : layout.spellings).map { option in
      Diagnostic(
        .warning, "option \"\(option)\" is about CSV and TSV, and no source is such a file",
        hint: "leave it out, or say --format csv")
    }
  }

  /// An address that cannot be fetched would be looked for as a file.
  private func checkSchemes(files: FileSystem = .live) throws(UsageError) {
    for operand in arguments.operands where !HTTPURL.isAddress(operand) {
      try AddressArgument.validate(operand, command: arguments.command, files: files)
    }
  }

  /// A file given twice, under whatever names, would give each of its rows twice.
  private func checkDistinct(files: FileSystem = .live) throws(UsageError) {
    var seen: Set<FileStatus.Identity> = []
    for case .file(let path) in localInputs.map(\.origin) {
      // What cannot be looked at is reported by the build, which knows what to say about it.
      guard let identity = try? files.status(path)?.identity, !seen.insert(identity).inserted
      else { continue }
      throw UsageError(
        .repeatedSource(path), command: arguments.command, hint: "give each source once")
    }
  }
}
