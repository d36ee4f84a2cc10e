#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Deletes temporary files when the user or the system interrupts the process.
package enum InterruptCleanup {
  /// Makes SIGINT, SIGTERM and SIGHUP delete the registered files and exit with status 130.
  ///
  /// A signal that the process was started to ignore, as `nohup` does, stays ignored. SIGPIPE and
  /// SIGXFSZ are ignored from now on, so that a closed pipe and a file size limit are reported as
  /// the errors of a write. A program calls this once, before it starts threads; a library inside
  /// an app never does, since signals belong to the process.
  package static func install() {
    // The handler must not be the first to touch the table: creating it allocates.
    table.prepare()
    for number in interrupts where !SignalAction.isIgnored(number) {
      SignalAction.handle(number, handleInterrupt)
    }
    for number in [SIGPIPE, SIGXFSZ] { SignalAction.ignore(number) }
  }

  /// Has a file, and what SQLite puts beside it, deleted when the process is interrupted.
  ///
  /// Names that only one file ever has are the only safe ones: a late interruption may still
  /// delete the name. Beyond ``capacity`` files nothing is registered; such a file is left to the
  /// next build's sweep.
  package static func register(_ path: String) { table.add(path) }

  /// Takes a file off the list.
  package static func unregister(_ path: String) { table.remove(path) }

  /// Whether a file is on the list: one that this process works on.
  package static func isRegistered(_ path: String) -> Bool { table.contains(path) }

  /// Runs the step that makes a result visible.
  ///
  /// A signal must find the process either before the step, where it interrupts, or behind it,
  /// where the work is done and status 130 would be untrue. So signals wait during the step; when
  /// it succeeds they no longer interrupt, and when it throws they do.
  ///
  /// - Precondition: No other thread of a process that called ``install()`` takes signals.
  /// - Throws: What the step throws.
  package static func commit<Failure: Error>(
    _ step: () throws(Failure) -> Void
  ) throws(Failure) {
    let held = interrupts.filter { SignalAction.isHandled($0, by: handleInterrupt) }
    let mask = SignalAction.hold(held)
    defer { SignalAction.restore(mask) }
    try step()
    // Ignoring a signal also drops one that waits.
    for number in held { SignalAction.ignore(number) }
  }

  private static let interrupts = [SIGINT, SIGTERM, SIGHUP]

  /// How many files can be on the list.
  package static let capacity = 64

  fileprivate static let table = InterruptTable(capacity: capacity)
}

/// The handler: only calls that are safe in one (`unlink`, `write`, `_exit`), no allocation.
private func handleInterrupt(_ signal: Int32) {
  InterruptCleanup.table.unlinkAll()
  let message: StaticString = "\nseed: interrupted\n"
  _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
  _exit(130)
}
