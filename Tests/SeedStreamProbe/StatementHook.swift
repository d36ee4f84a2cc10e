import CSQLite
import Foundation
import SeedFiles

/// Counts the statements of all connections that are opened from now on, and ends the process, as
/// `kill -9` does, at one of them.
///
/// SQLite itself calls back, so that what is tried is the code as it ships.
enum StatementHook {
  private struct State {
    var count = 0
    var killing = Int.max
    var mostPages = 0
  }

  private static let state = Lock(State())

  /// How many moments there were.
  static var count: Int { state.withLock(\.count) }

  /// Has all connections counted.
  ///
  /// - Parameters:
  ///   - number: The moment, from 1, at which the process ends.
  ///   - pages: The most pages that a database may have: then SQLite says that the disk is full. 0 for
  ///     no bound.
  static func install(killingAt number: Int, mostPages pages: Int) {
    state.withLock {
      $0.killing = number
      $0.mostPages = pages
    }
    typealias Entry = @convention(c) (OpaquePointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Int32
    let entry: Entry = { database, _, _ in
      StatementHook.watch(database)
      return SQLITE_OK
    }
    // SQLite's own header declares the entry point without its parameters.
    sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
  }

  private static func watch(_ database: OpaquePointer?) {
    let pages = state.withLock(\.mostPages)
    if pages > 0 { sqlite3_exec(database, "PRAGMA max_page_count = \(pages)", nil, nil, nil) }
    let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE)
    sqlite3_trace_v2(
      database, events,
      { _, _, _, _ in
        StatementHook.pass()
        return 0
      }, nil)
  }

  private static func pass() {
    let isDue = state.withLock { state in
      state.count += 1
      return state.count == state.killing
    }
    if isDue { kill(getpid(), SIGKILL) }
  }
}
