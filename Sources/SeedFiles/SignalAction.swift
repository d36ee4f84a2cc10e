#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the process does with a signal.
internal enum SignalAction {
  /// Whether the signal is ignored, be it from the process that started this one.
  internal static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(handler(of: action), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
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

  private static func handler(of action: sigaction) -> (@convention(c) (Int32) -> Void)? {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler
    #else
      action.__sigaction_handler.sa_handler
    #endif
  }
}
