import SeedFormat
import SeedModel
import SeedSQLite
import SeedStore

/// `seed install`: copies a prebuilt database where a program can write to it.
struct InstallCommand: Command {
  static let specification = CommandSpecification(
    name: "install", summary: "Copy a database where it is written to, once.",
    discussion: [
      "What an app does at its launch with the library: the destination is absent or complete at "
        + "every moment, whatever happens meanwhile, and is never replaced by another file. A "
        + "second run finds it there and writes nothing. Of several runs at once, one copies and "
        + "the others wait.",
      "A newer seed changes what is installed only if the policy says so: \"keep\" leaves it, "
        + "\"replace-if-pristine\" replaces the content if nobody has written to it, \"merge\" "
        + "makes the rows of the tables that the seed owns those of the newer seed and leaves all "
        + "else as it is, \"replace\" replaces the content in any case. A copy of the old content is "
        + "kept, which --rollback brings back and --discard-previous deletes.",
      "Of two versions of a seed the newer one is found number by number, wherever digits stand, "
        + "as b9 and b10; a word comes before a number and before the end, so that 9.beta is older "
        + "than 9. A seed packed by another tool is unpacked to find out.",
      "A seed packed by \"seed build --compress\" is unpacked. The copy can be read and written by "
        + "its owner alone, unless --mode says otherwise, and so can folders that are made for it; those that are there stay as "
        + "they are.",
      "The exit status is 0 when there is a database to be opened; 64 when the command line asks "
        + "for what cannot be; 65 when the seed is damaged, cut off, or not what its manifest says; "
        + "66 when there is no seed, manifest or, for a rollback, database; 73 when the destination cannot be made or must not be changed: "
        + "a folder or link in its place, an unusable file without --repair, rows that cannot be "
        + "merged, nothing to roll back; 74 when reading, writing or waiting for others failed.",
    ],
    operand: OperandSpecification(
      name: "file", count: 1...2,
      help: "The seed and the destination; the latter alone with --rollback and "
        + "--discard-previous.",
      missingHint: "give a database made by \"seed build\", and where it goes",
      places: ["seed", "destination"]),
    options: [
      OptionSpecification(
        "policy", .choice(policies.map(\.name), placeholder: "POLICY"),
        help: "What to do with a newer seed: keep (without it), replace-if-pristine, merge, "
          + "replace."),
      OptionSpecification(
        "taken-keys", .choice(TakenKeyPolicy.allCases.map(\.rawValue), placeholder: "WHOSE"),
        help: "Whose row a merge leaves where one of the app's own has a key that the seed brings: "
          + "refuse (without it) merges nothing and names the keys; seed, app."),
      OptionSpecification(
        "mode", .value(placeholder: "OCTAL"),
        help: "The permissions of the copy, as chmod takes them. Without it, 600."),
      OptionSpecification(
        "manifest", .value(placeholder: "FILE"),
        help: "The seed's manifest. Without it, SEED.manifest.json if there is one."),
      OptionSpecification(
        "verify", .choice(Verification.allCases.map(name), placeholder: "LEVEL"),
        help: "How to check the copy: header; digest-while-copying (without it), by the manifest "
          + "if there is one; digest, by the manifest, which must be there unless the seed is "
          + "packed; full, which reads all of the content."),
      OptionSpecification(
        "durability", .choice(Durability.allCases.map(\.rawValue), placeholder: "LEVEL"),
        help: "What a power failure may undo: nothing with full (without it), all with barrier, "
          + "anything with process."),
      OptionSpecification(
        "journal-mode", .choice(["delete", "wal"]),
        help: "The journal mode of the copy. Without it, the seed's."),
      OptionSpecification(
        "repair", help: "Move aside what is there and is no usable database."),
      OptionSpecification(
        "lock-timeout", .value(placeholder: "SECONDS"),
        help: "How long to wait for others. Without it, 30."),
      OptionSpecification(
        "rollback", help: "Bring back the content from before the last replacement or merge."),
      OptionSpecification(
        "discard-previous", help: "Delete the copy of that content."),
      OptionSpecification("json", help: "Print the result as JSON on the standard output."),
      OptionSpecification("verbose", help: "Print the result even where there is no terminal."),
    ],
    conflicts: [
      ("rollback", "discard-previous"), ("rollback", "policy"), ("rollback", "manifest"),
      ("rollback", "repair"), ("discard-previous", "policy"), ("discard-previous", "manifest"),
      ("discard-previous", "repair"), ("json", "verbose"),
    ],
    examples: [
      "seed install default.sqlite /var/lib/shop/shop.sqlite",
      "seed install default.sqlite shop.sqlite --policy replace-if-pristine --json",
      "seed install shop.sqlite --rollback",
    ])

  private static let policies: [(name: String, policy: UpdatePolicy)] = [
    ("keep", .keep), ("replace-if-pristine", .replaceIfPristine), ("merge", .merge),
    ("replace", .replace),
  ]

  /// The name of a level as it is written in a shell.
  private static func name(_ level: Verification) -> String {
    level == .digestWhileCopying ? "digest-while-copying" : level.rawValue
  }

  private let arguments: ParsedArguments
  private let options: InstallOptions

  init(parsing arguments: ParsedArguments) throws {
    self.arguments = arguments
    var options = InstallOptions()
    let policy = arguments.value(of: "policy")
    options.policy = Self.policies.first { $0.name == policy }?.policy ?? .keep
    let level = arguments.value(of: "verify")
    options.verification =
      Verification.allCases.first { Self.name($0) == level } ?? .digestWhileCopying
    options.durability =
      arguments.value(of: "durability").flatMap { Durability(rawValue: $0) } ?? .full
    options.journalMode =
      arguments.value(of: "journal-mode").flatMap { JournalMode(rawValue: $0) } ?? .asBuilt
    options.repair = arguments.has("repair")
    options.takenKeys =
      arguments.value(of: "taken-keys").flatMap { TakenKeyPolicy(rawValue: $0) } ?? .refuse
    if arguments.has("taken-keys"), options.policy != .merge {
      throw UsageError(
        .optionWithout("--taken-keys", needed: "--policy merge"), command: arguments.command)
    }
    if let text = arguments.value(of: "mode") {
      guard (1...4).contains(text.utf8.count), let mode = UInt16(text, radix: 8), mode <= 0o777,
        mode & 0o600 == 0o600
      else {
        throw UsageError(
          .invalidValue(text, option: "--mode", allowed: []), command: arguments.command,
          hint: "give octal digits by which the owner may read and write, such as 640")
      }
      options.permissions = mode
    }
    if let text = arguments.value(of: "lock-timeout") {
      guard let seconds = Double(text), seconds >= 0, seconds <= 86400 else {
        throw UsageError(
          .invalidValue(text, option: "--lock-timeout", allowed: []), command: arguments.command,
          hint: "give a number of seconds, at most 86400")
      }
      options.lockTimeout = .milliseconds(Int64(seconds * 1000))
    }
    self.options = options
  }

  /// Whether nothing is installed, but what a replacement left is dealt with.
  private var isAboutPrevious: Bool {
    arguments.has("rollback") || arguments.has("discard-previous")
  }

  func validate() throws {
    for path in arguments.operands where path.isEmpty {
      throw UsageError(
        .emptyPath("database"), command: arguments.command, hint: "give the path of a file")
    }
    if isAboutPrevious, arguments.operands.count > 1 {
      throw UsageError(
        .unexpectedOperand(arguments.operands[1]), command: arguments.command,
        hint: "give the installed database alone")
    }
    if !isAboutPrevious, arguments.operands.count < 2 {
      throw UsageError(
        .missingOperand("destination"), command: arguments.command,
        hint: "give where the database goes")
    }
  }

  func run(on console: Console) throws -> ExitCode {
    if isAboutPrevious {
      let destination = arguments.operands[0]
      let timeout = options.lockTimeout
      let isRollback = arguments.has("rollback")
      if isRollback {
        try SeedDatabase.rollback(at: destination, lockTimeout: timeout)
      } else {
        try SeedDatabase.discardPrevious(at: destination, lockTimeout: timeout)
      }
      try report(destination, isRollback ? .rolledBack : .discarded, on: console)
      return .success
    }
    let seed = Seed(
      path: arguments.operands[0],
      manifest: arguments.value(of: "manifest").map { .file($0) } ?? .beside)
    let result = try SeedDatabase.install(seed, at: arguments.operands[1], options: options)
    for path in result.quarantined {
      console.report(
        Diagnostic(
          .warning, InstallReport.text(ofQuarantined: path, besides: result.path),
          at: SourceLocation(file: path), hint: "delete it if nothing in it is needed"))
    }
    if case .otherSeed(let installed) = result.keptReason {
      console.report(InstallReport.warning(of: result, madeFrom: installed))
    }
    if arguments.has("json") {
      try console.printResult(InstallReport.json(of: result).text)
    } else if isWanted(console) {
      let stamp = Self.stamp(of: result.path)
      console.printMessage(InstallReport.text(of: result, stamp) + "\n")
    }
    return .success
  }

  private func report(
    _ destination: String, _ change: InstallReport.PreviousChange, on console: Console
  ) throws {
    if arguments.has("json") {
      try console.printResult(InstallReport.json(of: change, at: destination).text)
    } else if isWanted(console) {
      console.printMessage(InstallReport.text(of: change, at: destination) + "\n")
    }
  }

  /// What a database says of its seed; nil where nothing can be read.
  private static func stamp(of path: String) -> SeedStamp? {
    guard let connection = try? Connection(path: path, mode: .readOnly),
      case .present(let stamp)? = try? SeedStamp.read(from: connection)
    else { return nil }
    return stamp
  }

  /// Whether somebody reads along, or asks for words.
  private func isWanted(_ console: Console) -> Bool {
    console.error.isTerminal || arguments.has("verbose")
  }
}
