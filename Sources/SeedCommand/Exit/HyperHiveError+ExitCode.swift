import SeedSQLite
import SeedStreams

extension HyperHiveError {
  /// Whose fault it is that tables of a server did not come.
  var exitCode: ExitCode {
    switch reason {
    case .refused, .transport, .webPage: .unavailable
    case .malformedAnswer, .changedType, .changedKey: .badInput
    case .invalidArgument, .notAuthenticated: .usage
    case .database, .file: .inputOutput
    case .cancelled: .interrupted
    }
  }
}
