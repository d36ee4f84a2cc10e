import SeedSQLite
import SeedStreams

extension StreamError {
  /// Whose fault it is that a stream was not brought up to date.
  var exitCode: ExitCode {
    switch reason {
    case .digestMismatch, .contentTransformed, .signatureInvalid, .webPage,
      .unsupportedFormat, .schemaIncompatible, .foreignKeyViolation, .constraint:
      .badInput
    case .noDatabase, .notSeeded: .missingInput
    case .offline, .unauthorized, .notFound, .refused, .missingObject, .noProgress, .resetLoop:
      .unavailable
    // A file that is no database, or a damaged one, is what was given.
    case .database(let code, _)
    where SQLiteError(code: code, message: "", operation: "", path: "").isUnreadable:
      .badInput
    case .diskFull, .database, .file: .inputOutput
    case .cancelled: .interrupted
    }
  }

  /// What to do about it on a command line.
  var commandHint: String? {
    guard case .unauthorized = reason else { return hint }
    return "check the credentials; \(HeaderArguments.option.spelling) sends them, such as "
      + "'Authorization: Bearer $TOKEN'"
  }
}

extension SQLiteError {
  /// Whether what lies in the file cannot be read as a database.
  fileprivate var isUnreadable: Bool { isNotADatabase || isCorrupt }
}
