import SeedFetch
import SeedFiles
import SeedTransport

extension FetchError {
  /// Whose fault it is that a source could not be fetched.
  var exitCode: ExitCode {
    switch reason {
    case .transport(let error):
      switch error.reason {
      case .invalidURL, .invalidHeader: .usage
      default: .unavailable
      }
    case .missingVariable: .usage
    case .pageLoop, .tooManyPages, .webPage: .unavailable
    case .notCached, .lockedNotCached, .lockMissing: .missingInput
    case .lockMalformed, .notLocked, .lockDiffers: .badInput
    case .cache(let error):
      [.mkdir, .open].contains(error.operation) ? .cannotCreate : .inputOutput
    case .unwritable(let error): error.isCreation ? .cannotCreate : .inputOutput
    }
  }
}
