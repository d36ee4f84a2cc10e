import SeedStreams

extension StreamError {
  /// Whose fault it is that a stream was not brought up to date.
  var exitCode: ExitCode {
    switch reason {
    case .digestMismatch, .contentTransformed, .signatureInvalid, .unsupportedFormat,
      .schemaIncompatible, .foreignKeyViolation, .constraint:
      .badInput
    case .noDatabase, .notSeeded: .missingInput
    case .offline, .unauthorized, .notFound, .refused, .missingObject, .noProgress, .resetLoop:
      .unavailable
    case .diskFull, .database, .file: .inputOutput
    case .cancelled: .interrupted
    }
  }
}
