import SeedBuilder
import SeedFetch
import SeedFiles
import SeedInput
import SeedModel
import SeedProject
import SeedPublisher
import SeedSQLite
import SeedServer
import SeedStore
import SeedStreams

/// What any error means to the user: the one place where errors become text and an exit code.
struct Failure {
  /// The most errors that are shown.
  static let errorLimit = 20

  /// What goes to the standard error; empty when there is nothing to say.
  var diagnostics: [Diagnostic]
  var code: ExitCode

  /// Translates an error that a command threw.
  init(_ error: any Error) {
    switch error {
    case let error as UsageError: self.init(error)
    case let error as BuildError: self.init(error)
    case let error as InputError: self.init(error)
    case let error as ProjectErrors: self.init(error)
    case let error as InspectionError: self.init(error)
    case let error as SQLiteError: self.init(error)
    case let error as PublishError:
      self.init(
        error.isCreation ? .cannotCreate : .inputOutput, error.message, path: error.path,
        hint: error.hint)
    case let error as FileError:
      self.init(Self.code(of: error), error.reason, path: error.path, hint: error.hint)
    case let error as FetchError:
      self.init(error.exitCode, error.message, path: error.place, hint: error.hint)
    case let error as HyperHiveError:
      self.init(error.exitCode, error.message, path: error.place, hint: error.hint)
    case let error as SeedError:
      if case .mergeRefused(let lines) = error.reason {
        self.init(refusing: lines, error)
        return
      }
      if case .keysTaken(let tables) = error.reason {
        self.init(
          refusing: tables.map {
            "rows of the app's own have keys that the seed brings: \($0.line)"
          },
          error)
        return
      }
      self.init(
        error.exitCode, "\(error.message) (\(error.step.rawValue))", path: error.path,
        hint: Self.hint(for: error))
    case let error as ServerError:
      self.init(error.exitCode, error.message, path: error.place, hint: error.hint)
    case let error as StreamPublishError:
      self.init(error.exitCode, error.message, path: error.path, hint: error.hint)
    case let error as PublishedSourceError:
      self.init(error.exitCode, error.message, path: error.place, hint: error.hint)
    case let error as StreamError:
      self.init(error.exitCode, error.description, path: "", hint: error.commandHint)
    case let error as ConsoleError:
      self.init(error)
    default:
      self.init(
        .internalFault, "internal fault: \(error)", path: "",
        hint: "please report this with the command line")
    }
  }

  private init(_ code: ExitCode, _ message: String, path: String, hint: String?) {
    let location = path.isEmpty ? nil : SourceLocation(file: path)
    self.code = code
    diagnostics = [Diagnostic(.error, message, at: location, hint: hint)]
  }

  /// A line for each object that is in the way of a merge; the remedy is the same for all.
  private init(refusing lines: [String], _ error: SeedError) {
    code = error.exitCode
    let location = SourceLocation(file: error.path)
    var diagnostics = lines.map {
      Diagnostic(.error, "cannot be merged: \($0)", at: location)
    }
    if let last = diagnostics.popLast() {
      diagnostics.append(Diagnostic(.error, last.message, at: location, hint: error.hint))
    }
    self.diagnostics = Self.limited(diagnostics)
  }

  /// What a shell's user can do; what the library says is about an app.
  private static func hint(for error: SeedError) -> String? {
    error.reason == .sourceMissing
      ? "check the path; \"seed build\" makes a database to install" : error.hint
  }

  private init(_ error: UsageError) {
    code = .usage
    diagnostics = [Diagnostic(.error, error.description, hint: error.advice)]
  }

  private init(_ error: BuildError) {
    code =
      switch error.reason {
      case .input: .badInput
      case .usage: .usage
      case .missingInput: .missingInput
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .internalFault: .internalFault
      }
    diagnostics = Self.limited(error.diagnostics)
  }

  private init(_ error: ProjectErrors) {
    code =
      switch error.errors.first?.reason {
      case .missing, .isDirectory: .missingInput
      case .unreadable(let cause): Self.code(of: cause)
      default: .badInput
      }
    diagnostics = Self.limited(error.diagnostics)
  }

  /// The first errors, and that there are more.
  private static func limited(_ all: [Diagnostic]) -> [Diagnostic] {
    var errorCount = 0
    let first = Array(
      all.prefix { diagnostic in
        if diagnostic.severity == .error { errorCount += 1 }
        return errorCount <= errorLimit
      })
    guard all.count(where: { $0.severity == .error }) >= errorLimit else { return first }
    return first + [
      Diagnostic(.error, "too many errors; stopped after the first \(errorLimit)")
    ]
  }

  private init(_ error: InputError) {
    diagnostics = [error.diagnostic]
    code =
      switch error.reason {
      case .missing, .missingCompanion, .isDirectory, .unreadable(operation: "open", _):
        .missingInput
      case .unreadable: .inputOutput
      default: .badInput
      }
  }

  private init(_ error: ConsoleError) {
    code = .inputOutput
    // A reader that has seen enough, such as `head`, needs no message.
    diagnostics = error.isBrokenPipe ? [] : [Diagnostic(.error, error.description)]
  }

  private init(_ error: InspectionError) {
    diagnostics = [error.diagnostic]
    code =
      switch error.reason {
      case .notFound, .directory, .notRegular: .missingInput
      case .unreadable(let cause): Self.code(of: cause)
      case .notADatabase, .cutOff: .badInput
      case .database(let cause):
        // A schema or a file format that this SQLite does not understand is no fault of ours.
        Self.code(of: cause) == .internalFault ? .badInput : Self.code(of: cause)
      }
  }

  private init(_ error: SQLiteError) {
    self.init(Self.code(of: error), error.message, path: error.path, hint: error.hint)
  }

  private static func code(of error: SQLiteError) -> ExitCode {
    if error.isCorrupt || error.isNotADatabase || error.isTooBig { return .badInput }
    if error.cannotOpen { return .missingInput }
    if error.isReadOnly { return .cannotCreate }
    if error.isDiskFull || error.isInputOutput || error.isBusy { return .inputOutput }
    // What is left in a database that was opened: a schema that this SQLite does not understand.
    return .internalFault
  }

  private static func code(of error: FileError) -> ExitCode {
    switch error.operation {
    case .open, .stat, .lstat, .readlink, .realpath, .readDirectory: .missingInput
    default: .inputOutput
    }
  }
}
