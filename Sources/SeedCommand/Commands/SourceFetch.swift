import SeedBuilder
import SeedFetch
import SeedModel
import SeedTransport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Fetches the sources that are addresses, before a command reads them.
struct SourceFetch {
  static let options = [
    OptionSpecification(
      "header", .value(placeholder: "HEADER"), isRepeatable: true,
      help: "A header to send with each request, such as 'Authorization: Bearer $TOKEN'; $TOKEN "
        + "is replaced by that environment variable and never shown. May be given again."),
    OptionSpecification(
      "offline", help: "Take what was fetched before from the cache and use no network."),
    OptionSpecification(
      "locked", help: "Fail if what is fetched is not what \(FetchLock.fileName) recorded."),
    OptionSpecification(
      "retries", .value(placeholder: "N"),
      help: "How often a failing request is repeated. Without it, 4."),
  ]

  private let headers: [FetchSource.Field]
  private let isOffline: Bool
  private let isLocked: Bool
  private let retryCount: Int

  /// Takes the options about fetching.
  ///
  /// - Throws: ``UsageError`` for a value that cannot be understood.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    isOffline = arguments.has("offline")
    isLocked = arguments.has("locked")
    let retries = arguments.value(of: "retries") ?? "4"
    guard let count = Int(retries), (0...100).contains(count) else {
      throw UsageError(
        .invalidValue(retries, option: "--retries", allowed: []), command: arguments.command,
        hint: "give a number from 0 to 100")
    }
    retryCount = count
    var headers: [FetchSource.Field] = []
    for text in arguments.list(of: "header") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, HTTPField(String(parts[0]), "").isValid else {
        throw UsageError(
          // What stands there may be a secret.
          .invalidValue("…", option: "--header", allowed: []), command: arguments.command,
          hint: "write it as 'Name: value', with $NAME for what a variable holds")
      }
      let value = parts[1].drop { $0 == " " }
      headers.append(FetchSource.Field(String(parts[0]), FetchValue(template: String(value))))
    }
    self.headers = headers
  }

  /// Fetches those sources of a command that are at addresses.
  ///
  /// - Throws: ``FetchError``.
  func run(_ subject: BuildSubject, on console: Console) throws -> FetchedInputs {
    let sources = subject.fetchSources(headers: headers)
    guard !sources.isEmpty else { return FetchedInputs() }
    var options = FetchOptions(
      cacheDirectory: CacheDirectory.path(Self.environment), environment: Self.environment)
    options.isOffline = isOffline
    options.retry.retryCount = retryCount
    if isLocked {
      guard let lock = try FetchLock.read(subject.lockPath) else {
        throw FetchError(.lockMissing, place: subject.lockPath)
      }
      options.lock = lock
    }
    let fetched = try Fetcher(StandardTransport.make(), options: options).fetch(sources)
    for page in fetched.flatMap(\.pages) where !page.isLengthKnown {
      console.report(
        Diagnostic(
          .warning, "the server does not say where the document ends, so a cut one looks whole",
          at: SourceLocation(file: page.displayName)))
    }
    return FetchedInputs(
      fetched, lockPath: isOffline || isLocked ? nil : subject.lockPath,
      ownsLock: subject.ownsLock)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
