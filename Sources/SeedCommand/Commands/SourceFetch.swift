import SeedBuilder
import SeedFetch
import SeedModel
import SeedTransport

/// Fetches the sources that are addresses, before a command reads them.
struct SourceFetch {
  static let options = [
    HeaderArguments.option,
    OptionSpecification(
      "offline",
      help:
        "Use no network, but what the cache has: the documents that \(FetchLock.fileName) names, "
        + "else what was fetched last."),
    OptionSpecification(
      "locked", help: "Fail if what is fetched is not what \(FetchLock.fileName) recorded."),
    OptionSpecification(
      "retries", .value(placeholder: "N"),
      help: "How often a failing request is repeated. Without it, 4."),
  ]

  private let arguments: ParsedArguments
  let headers: [FetchSource.Field]
  private let isOffline: Bool
  private let isLocked: Bool
  private let retryCount: Int

  /// Takes the options about fetching.
  ///
  /// - Throws: ``UsageError`` for a value that cannot be understood.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    isOffline = arguments.has("offline")
    isLocked = arguments.has("locked")
    let retries = arguments.value(of: "retries") ?? "4"
    guard let count = Int(retries), (0...100).contains(count) else {
      throw UsageError(
        .invalidValue(retries, option: "--retries", allowed: []), command: arguments.command,
        hint: "give a number from 0 to 100")
    }
    retryCount = count
    headers = try HeaderArguments(arguments).fields
  }

  /// Checks that options about fetching are not given in vain.
  ///
  /// - Throws: ``UsageError``.
  func validate(_ subject: BuildSubject) throws(UsageError) {
    guard subject.fetchSources(headers: []).isEmpty, subject.hyperHiveSources.isEmpty,
      let option = Self.options.first(where: { arguments.has($0.name) })
    else { return }
    throw UsageError(
      .nothingToFetch(option.spelling), command: arguments.command,
      hint: "leave it out, or name an https:// address")
  }

  /// Fetches those sources of a command that are at addresses.
  ///
  /// - Parameters:
  ///   - subject: The sources.
  ///   - isTrial: Whether later builds from the cache are to be left as they are.
  ///   - onWarning: Called for what is doubtful about the documents.
  /// - Returns: The documents.
  /// - Throws: ``FetchError``.
  func run(
    _ subject: BuildSubject, isTrial: Bool, onWarning: @escaping @Sendable (Diagnostic) -> Void
  ) throws -> FetchedInputs {
    let contributions = try contributions(subject, onWarning: onWarning)
    let sources = subject.fetchSources(headers: headers)
    guard !sources.isEmpty else {
      return FetchedInputs([], lockPath: nil, ownsLock: false, contributions: contributions)
    }
    var options = FetchOptions(
      cacheDirectory: CacheDirectory.path(ProcessEnvironment.value),
      environment: ProcessEnvironment.value)
    options.isOffline = isOffline
    options.retry.retryCount = retryCount
    options.onCutWait = { error, wait in
      onWarning(
        Diagnostic(
          .note, "\(error.message); it is asked again after \(wait.components.seconds) seconds",
          at: SourceLocation(file: error.url),
          hint: "stop the build and run it later, if that helps"))
    }
    options.isTrial = isTrial
    let lock = isLocked || isOffline ? try FetchLock.read(subject.lockPath) : nil
    if isLocked {
      guard let lock else { throw FetchError(.lockMissing, place: subject.lockPath) }
      options.lock = lock
    } else {
      options.recorded = lock
    }
    let fetched = try Fetcher(StandardTransport.make(), options: options).fetch(sources)
    warnings(about: fetched, lock).forEach(onWarning)
    return FetchedInputs(
      fetched, lockPath: isOffline || isLocked ? nil : subject.lockPath,
      ownsLock: subject.ownsLock, contributions: contributions)
  }

  /// Fetches the tables of HyperHive servers, which neither the cache nor the lock file has.
  private func contributions(
    _ subject: BuildSubject, onWarning: @escaping @Sendable (Diagnostic) -> Void
  ) throws -> [TableContribution] {
    try subject.hyperHiveSources.map { source, location in
      if isOffline { throw FetchError(.notCached, place: source.host) }
      if isLocked { throw FetchError(.notLocked, place: source.host) }
      return try HyperHiveFetch(
        source: source, location: location, retryCount: retryCount,
        environment: ProcessEnvironment.value
      ).run(onWarning: onWarning)
    }
  }

  private func warnings(about fetched: [FetchedSource], _ lock: FetchLock?) -> [Diagnostic] {
    func warning(_ text: String, at place: String, hint: String? = nil) -> Diagnostic {
      Diagnostic(.warning, text, at: SourceLocation(file: place), hint: hint)
    }
    var warnings: [Diagnostic] = []
    for page in fetched.flatMap(\.pages) {
      if !page.isLengthKnown {
        warnings.append(
          warning(
            "the server does not say where the document ends, so a cut one looks whole",
            at: page.displayName))
      }
      if let address = page.webPageAddress {
        warnings.append(
          warning(
            "the server says that it sent a web page (text/html)", at: address,
            hint: "check the address; if this is the data, declare its format"))
      }
    }
    // What is compared with the lock has passed by now.
    guard let lock, !isLocked else { return warnings }
    return warnings
      + lock.deviations(of: fetched).map { deviation in
        warning(
          deviation.reason == .notLocked
            ? "\(FetchLock.fileName) does not speak of this source; the cache's newest is taken"
            : "this is not what \(FetchLock.fileName) describes, which the cache does not have",
          at: deviation.place, hint: "build once without --offline to record what is taken")
      }
  }
}
