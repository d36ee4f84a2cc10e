import SeedFiles
import SeedModel
import SeedTransport

/// A text of the command line that may be an address or a path.
///
/// What is meant as an address and is none is a mistake of the command line, told before anything
/// is opened. It would be looked for as a path otherwise, or be taken for the fault of a server.
enum AddressArgument {
  /// Checks a text that is an address or a path.
  ///
  /// - Parameters:
  ///   - text: What was given.
  ///   - command: The command that it was given to.
  ///   - files: Where it may be a path after all.
  /// - Throws: ``UsageError`` for an address that cannot be fetched.
  static func validate(
    _ text: String, command: String, files: FileSystem = .live
  ) throws(UsageError) {
    guard isAddress(text, files) else { return }
    try validateAddress(text, command: command)
  }

  /// Checks a text that is an address and cannot be a path.
  ///
  /// - Parameters:
  ///   - text: What was given.
  ///   - command: The command that it was given to.
  /// - Throws: ``UsageError`` for one that cannot be fetched.
  static func validateAddress(_ text: String, command: String) throws(UsageError) {
    guard let problem = problem(of: text) else { return }
    if case .unsupportedScheme(let scheme) = problem {
      throw UsageError(
        .unsupportedScheme(scheme), command: command,
        hint: suggestion(for: scheme)
          ?? "fetch it by other means, and give the path of the file")
    }
    throw UsageError(
      .unusableAddress(TransportError(.invalidURL(problem), url: HTTPURL.shown(text)).description),
      command: command, hint: "write it as https://example.com/path, in ASCII letters")
  }

  /// Whether a text is meant as an address and no file has it as its name.
  static func isAddress(_ text: String, _ files: FileSystem = .live) -> Bool {
    if HTTPURL.isAddress(text) { return true }
    // What cannot be looked at is no path that would be of use.
    return HTTPURL.isMeant(by: text) && (try? files.status(text)) == nil
  }

  /// Why an address cannot be fetched; nil when it can be.
  static func problem(of text: String) -> HTTPURL.Problem? {
    do throws(HTTPURL.Problem) {
      _ = try HTTPURL.parse(text)
      return nil
    } catch {
      return error
    }
  }

  private static func suggestion(for scheme: String) -> String? {
    Suggestion.nearest(to: scheme, in: ["https", "http"]).map { "did you mean \"\($0)://\"?" }
  }
}
