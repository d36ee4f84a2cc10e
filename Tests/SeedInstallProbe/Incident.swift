import Foundation
import SeedSQLite
import SeedStore

/// Something that happens in the middle of a load: at a share of the bytes, or before the name.
enum Incident: String {
  /// The process is killed.
  case kill
  /// The load is cancelled.
  case cancel
  /// Somebody else creates a database at the destination.
  case create
  /// The process is stopped until somebody lets it go on.
  case stop
  /// The preparation throws.
  case fail
  /// A child is forked that keeps all descriptors and does nothing.
  case forkIdle = "fork-idle"
  /// A child is forked that loads the same database and adds a row.
  case forkLoad = "fork-load"

  struct Failure: Error {}

  /// Lets it happen.
  func happen(
    destination: String, cancellation: InstallCancellation, child: @Sendable () -> Void
  ) throws {
    switch self {
    case .kill: systemKill(getpid(), SIGKILL)
    case .cancel: cancellation.cancel()
    case .create:
      let other = try Connection(path: destination, mode: .create)
      try other.execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
      try other.close()
    case .stop: raise(SIGSTOP)
    case .fail: throw Failure()
    case .forkIdle:
      let number = try Self.fork()
      if number == 0 { while true { pause() } }
      print("child=\(number)")
    case .forkLoad:
      let number = try Self.fork()
      if number == 0 {
        child()
        fflush(nil)
        _exit(0)
      }
      // A loader without a lock has done its work by then.
      usleep(300_000)
      print("child=\(number)")
    }
    fflush(nil)
  }

  /// `fork`, which Swift hides because most programs must not use it.
  private static func fork() throws -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { throw Failure() }
    fflush(nil)
    return unsafeBitCast(symbol, to: Fork.self)()
  }
}
