import SeedServer

extension ServerError {
  /// Whose fault it is that a server does not start.
  var exitCode: ExitCode {
    switch reason {
    case .noDirectory, .unreadable: .missingInput
    case .noLibrary, .notStarted: .unavailable
    case .unknownAddress, .notListening: .cannotCreate
    }
  }
}
