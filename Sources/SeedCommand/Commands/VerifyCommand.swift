import SeedBuilder
import SeedCoreData
import SeedModel

/// `seed verify`: checks a database.
struct VerifyCommand: Command {
  static let specification = CommandSpecification(
    name: "verify", summary: "Check a database: file, structure, references, stamp.",
    discussion: [
      "Silent when all is well. Otherwise it prints what is wrong and what to do, and exits with "
        + "status 1. Notes alone are printed, too, and are no fault.",
      "A Core Data store is checked for what Core Data demands, whoever made it; it needs no stamp. "
        + "With the model, required values, uniqueness and all relationships are checked, too.",
      "With --published, the database must also stand on the history of a stream as it can be "
        + "fetched: where head.json is, at an address or in a directory. All files that the head "
        + "names must be there.",
    ],
    operand: InspectCommand.operand,
    options: [
      InspectCommand.modelOption("check"), StoreArguments.versionOption,
      OptionSpecification(
        "published", .value(placeholder: "URL"),
        help: "The folder of a published stream, in which the database must have its place."),
      HeaderArguments.option, TrustedKeyArguments.option,
      OptionSpecification("json", help: "Print the findings as JSON."),
      OptionSpecification("verbose", help: "Say so, too, when all is well."),
    ],
    conflicts: [("json", "verbose")],
    examples: [
      "seed verify default.sqlite", "seed verify default.sqlite --json",
      "seed verify Store.sqlite --model Model.xcdatamodeld",
      "seed verify default.sqlite --published https://example.com/catalog/v1",
      "seed verify default.sqlite --published public --trusted-key public.pem",
    ])

  private let path: String
  private let isJSON: Bool
  private let isVerbose: Bool
  private let model: InspectedModel
  private let published: String?
  private let headers: HeaderArguments
  private let trustedKeys: TrustedKeyArguments

  init(parsing arguments: ParsedArguments) throws {
    headers = try HeaderArguments(arguments)
    trustedKeys = try TrustedKeyArguments(arguments)
    path = arguments.operands.first ?? ""
    isJSON = arguments.has("json")
    isVerbose = arguments.has("verbose")
    model = InspectedModel(arguments)
    published = arguments.value(of: "published")
  }

  func validate() throws {
    if path.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: "verify", hint: "give the path of a database file")
    }
    if published?.isEmpty == true {
      throw UsageError(
        .emptyPath("stream"), command: "verify", hint: "give the folder in which head.json is")
    }
    if let published { try AddressArgument.validate(published, command: "verify") }
    if published == nil, !trustedKeys.paths.isEmpty {
      throw UsageError(
        .optionWithout(TrustedKeyArguments.option.spelling, needed: "--published"),
        command: "verify")
    }
    try headers.validate(for: published, command: "verify")
    try model.validate()
  }

  func run(on console: Console) throws -> ExitCode {
    let keys = try trustedKeys.keys()
    let check = StoreVerification(model: try model.read(on: console))
    let findings =
      try Verification.findings(inDatabaseAt: path, with: check)
      + StreamFindings.all(inDatabaseAt: path, published: published, headers: headers, keys: keys)
    let isSound = findings.allSatisfy { $0.severity != .error }
    if isJSON {
      try console.printResult(json(of: findings, isSound: isSound).text)
    } else {
      let isFlawless = findings.allSatisfy { $0.severity == .note }
      let wantsVerdict = isFlawless && (isVerbose || console.output.isTerminal)
      try console.printResult(
        text(of: findings, usesColor: console.output.usesColor)
          + (wantsVerdict ? "\(TerminalText.escaped(path)): ok\n" : ""))
    }
    return isSound ? .success : .finding
  }

  private func json(of findings: [Finding], isSound: Bool) -> JSONValue {
    [
      "path": .string(path),
      "ok": .bool(isSound),
      "findings": .array(findings.map(\.json)),
    ]
  }

  /// The findings as diagnostics; a hint that several in a row share is printed once.
  private func text(of findings: [Finding], usesColor: Bool) -> String {
    let renderer = DiagnosticRenderer(usesColor: usesColor)
    var text = ""
    for (index, finding) in findings.enumerated() {
      let isLast = index + 1 == findings.count || findings[index + 1].hint != finding.hint
      text += renderer.text(
        for: Diagnostic(
          finding.severity, finding.message, at: SourceLocation(file: path),
          hint: isLast ? finding.hint : nil))
    }
    return text
  }
}
