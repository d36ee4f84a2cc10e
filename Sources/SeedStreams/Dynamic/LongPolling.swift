/// How long servers are asked to wait for something newer.
///
/// The first look of a stream that follows is answered at once, so that it says that it is up to date;
/// the next one, which waits, comes without a pause.
internal enum LongPolling {
  /// How long a server is asked to wait.
  internal static let waitSeconds = 25
  /// An answer that took less did not wait.
  internal static let shortestWaitMilliseconds: Int64 = 5000
}
