import SeedFiles
import SeedPublisher
import SeedSQLite
import SeedStreams

extension StreamPublishError {
  /// Whose fault it is that a database was not published.
  var exitCode: ExitCode {
    switch reason {
    case .noDatabase, .noSigningKey, .noTrustedKey: .missingInput
    case .database(let error): Self.code(of: error)
    case .tables(.cursor(.database(let error))): Self.code(of: error)
    case .tables(.invalidName), .tables(.severalStreams), .unnamedStream, .signedHead: .usage
    case .locked: .inputOutput
    case .file: .inputOutput
    case .publish(let error): error.isCreation ? .cannotCreate : .inputOutput
    default: .badInput
    }
  }

  private static func code(of error: SQLiteError) -> ExitCode {
    if error.cannotOpen { return .missingInput }
    if error.isReadOnly { return .cannotCreate }
    if error.isDiskFull || error.isInputOutput || error.isBusy { return .inputOutput }
    return .badInput
  }
}

extension PublishedSourceError {
  /// Whose fault it is that a published stream cannot be read.
  var exitCode: ExitCode {
    switch reason {
    case .address: .usage
    case .transport: .unavailable
    case .file(let error): error.isMissing ? .missingInput : .inputOutput
    case .missing: .missingInput
    case .unusable, .notSigned: .badInput
    }
  }
}
