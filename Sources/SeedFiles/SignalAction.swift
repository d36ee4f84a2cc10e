#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the process does with a signal.
internal enum SignalAction {
  /// Whether the signal is ignored, be it from the process that started this one.
  internal static func isIgnored(_ number: Int32) -> Bool { isHandled(number, by: SIG_IGN) }

  /// Whether the signal calls a function.
  internal static func isHandled(
    _ number: Int32, by function: (@convention(c) (Int32) -> Void)?
  ) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(handler(of: action), to: Int.self)
      == unsafeBitCast(function, to: Int.self)
  }

  /// Calls a function when the signal arrives, with every other signal held back meanwhile.
  internal static func handle(_ number: Int32, _ function: @convention(c) (Int32) -> Void) {
    var action = sigaction()
    sigfillset(&action.sa_mask)
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = function
    #else
      action.__sigaction_handler.sa_handler = function
    #endif
    sigaction(number, &action, nil)
  }

  /// Ignores the signal.
  internal static func ignore(_ number: Int32) {
    _ = signal(number, SIG_IGN)
  }

  /// Has signals wait for the calling thread.
  ///
  /// - Returns: What waited before, for ``restore(_:)``.
  internal static func hold(_ numbers: [Int32]) -> sigset_t {
    var held = sigset_t()
    var before = sigset_t()
    sigemptyset(&held)
    for number in numbers { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &before)
    return before
  }

  /// Lets signals through again, those that came meanwhile first.
  internal static func restore(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  private static func handler(of action: sigaction) -> (@convention(c) (Int32) -> Void)? {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler
    #else
      action.__sigaction_handler.sa_handler
    #endif
  }
}
