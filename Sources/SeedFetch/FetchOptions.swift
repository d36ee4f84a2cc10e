package import SeedTransport

/// How sources are fetched.
package struct FetchOptions: Sendable {
  /// Where documents are kept; see ``CacheDirectory``.
  package var cacheDirectory: String
  /// Whether nothing but the cache is asked.
  package var isOffline = false
  /// The lock that everything fetched must agree with; nil for no comparison.
  package var lock: FetchLock?
  /// The lock whose documents are taken from the cache if nothing else is asked, as far as it has
  /// them.
  package var recorded: FetchLock?
  /// Whether what the cache has for builds without the network stays as it is, where it has
  /// something.
  package var isTrial = false
  /// The bounds of each exchange; that of the body holds for each page.
  package var limits = HTTPLimits()
  package var retry = RetryPolicy()
  package var clock = RetryClock.live
  /// The most pages of a source that does not say it: links to next pages may never end.
  package var pageLimit = 1000
  /// Looks up a variable of the environment.
  package var environment: @Sendable (String) -> String?
  /// Told that a server asks to be left alone for longer than it will be, and how long that is.
  package var onCutWait: @Sendable (TransportError, Duration) -> Void = { _, _ in }
  /// Ends fetching from another thread.
  package var cancellation = HTTPCancellation()

  /// So many bytes have to come in each span of ``HTTPLimits/stallTimeout``: a build does not wait for a
  /// server that sends a byte now and then.
  package static let stallByteCount = 3_000

  /// The most bytes of a page unless told otherwise: more than a build can sensibly read.
  package static let defaultByteLimit: Int64 = 8 << 30

  /// Options with the defaults for all but the cache and the environment.
  package init(
    cacheDirectory: String, environment: @escaping @Sendable (String) -> String?
  ) {
    self.cacheDirectory = cacheDirectory
    self.environment = environment
    limits.bodyByteCount = Self.defaultByteLimit
    limits.stallByteCount = Self.stallByteCount
  }
}
