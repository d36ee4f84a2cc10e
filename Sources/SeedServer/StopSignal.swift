#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The signals by which a user or the system ends a server, waited for instead of handled.
///
/// They are held back in the thread that makes this value and in all threads that it starts later,
/// so it is made before the server.
package struct StopSignal: ~Copyable {
  private var held = sigset_t()
  private var before = sigset_t()

  /// Holds SIGINT, SIGTERM and SIGHUP back.
  package init() {
    sigemptyset(&held)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&held, number) }
    pthread_sigmask(SIG_BLOCK, &held, &before)
  }

  /// Waits until one of them comes, and takes it.
  package mutating func wait() {
    var number: Int32 = 0
    while sigwait(&held, &number) != 0 {}
  }

  deinit {
    var mask = before
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}
