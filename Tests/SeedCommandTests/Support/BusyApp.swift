import Foundation
import SeedSQLite
import Testing

@testable import SeedCommand

/// An app that writes into its database all the time, from a thread of its own, and remembers what
/// it has written.
///
/// `@unchecked` is safe: the lock guards what both threads use.
final class BusyApp: @unchecked Sendable {
  /// What the app has written, as it is to be found.
  struct Record: Equatable, Sendable {
    /// The rows of the app's own table.
    var visits: [[SQLiteValue]] = []
    /// The app's columns of the rows of the stream that are always there, by their keys.
    var items: [[SQLiteValue]] = []
    var makers: [[SQLiteValue]] = []
  }

  private struct Progress {
    var record = Record()
    var isEnding = false
    var problems: [String] = []
  }

  private static let ownTables = """
    CREATE TABLE visit(id INTEGER PRIMARY KEY, item INTEGER, note TEXT, photo BLOB);
    CREATE INDEX visit_item ON visit(item);
    ALTER TABLE item ADD COLUMN app_mark;
    ALTER TABLE item ADD COLUMN app_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE maker ADD COLUMN app_star TEXT DEFAULT 'none';
    """

  /// The classes of values that the app has.
  private static let marks: [SQLiteValue] = [
    .null, .integer(.max), .real(-0.125), .text("Säge \u{1F600}\n"), .blob([0, 255, 1]), .text(""),
    .blob([]),
  ]

  private let path: String
  private let progress: Guarded<Progress>
  private let isDone = DispatchSemaphore(value: 0)

  /// Adds the app's own tables and columns to a database, and starts to write.
  init(_ path: String) throws {
    self.path = path
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(Self.ownTables)
    progress = Guarded(Progress(record: try Self.found(in: connection)))
    try connection.close()
    Thread { [self] in
      do {
        try write()
      } catch {
        progress.withLock { $0.problems.append("\(error)") }
      }
      isDone.signal()
    }.start()
  }

  /// Ends the writing.
  ///
  /// - Returns: What the app has written, and what went wrong.
  func end() -> (record: Record, problems: [String]) {
    progress.withLock { $0.isEnding = true }
    isDone.wait()
    return progress.withLock { ($0.record, $0.problems) }
  }

  /// How many rows the app has written so far.
  var visitCount: Int { progress.withLock { $0.record.visits.count } }

  /// What of the app's is in the database.
  static func found(in connection: Connection) throws -> Record {
    Record(
      visits: try connection.rows("SELECT id, item, note, photo FROM visit ORDER BY id"),
      items: try connection.rows(
        """
        SELECT id, app_mark, app_count FROM item WHERE id <= \(StreamedShop.stayingItems)
        ORDER BY id
        """),
      makers: try connection.rows(
        "SELECT id, app_star FROM maker WHERE id <= \(StreamedShop.stayingMakers) ORDER BY id"))
  }

  private func write() throws {
    let connection = try Connection(path: path, mode: .readWrite)
    connection.setBusyTimeout(milliseconds: 60_000)
    try connection.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL")
    var last: [SQLiteValue] = []
    var number: Int64 = 0
    while !progress.withLock({ $0.isEnding }) {
      number += 1
      let visit: [SQLiteValue] = [
        .integer(number), .integer(number * 31 % 400), .text("visit \(number)"),
        number % 3 == 0 ? .null : .blob((0..<number % 40).map { UInt8(truncatingIfNeeded: $0) }),
      ]
      let item = 1 + number % StreamedShop.stayingItems
      let maker = 1 + number % StreamedShop.stayingMakers
      let mark = Self.marks[Int(number % Int64(Self.marks.count))]
      try connection.execute("BEGIN IMMEDIATE")
      try connection.run(
        "INSERT INTO visit VALUES(?, ?, ?, ?)", visit[0], visit[1], visit[2], visit[3])
      try connection.run(
        "UPDATE item SET app_mark = ?, app_count = app_count + 1 WHERE id = ?", mark,
        .integer(item))
      // Also of rows that may be gone at any moment.
      try connection.run(
        "UPDATE item SET app_mark = ? WHERE id = ?", mark,
        .integer(StreamedShop.stayingItems + 1 + number % 400))
      try connection.run(
        "UPDATE maker SET app_star = ? WHERE id = ?", .text("star \(number)"), .integer(maker))
      try connection.execute("COMMIT")
      progress.withLock { progress in
        progress.record.visits.append(visit)
        progress.record.items[Int(item) - 1][1] = mark
        if case .integer(let count) = progress.record.items[Int(item) - 1][2] {
          progress.record.items[Int(item) - 1][2] = .integer(count + 1)
        }
        progress.record.makers[Int(maker) - 1][1] = .text("star \(number)")
      }
      last = try look(connection, after: last)
    }
    try connection.close()
  }

  /// Reads as the app does: the stream never goes back, and its rows fit together.
  private func look(_ connection: Connection, after last: [SQLiteValue]) throws -> [SQLiteValue] {
    let position = try connection.rows("SELECT epoch, seq FROM _seed_stream").first ?? []
    if let before = Self.pair(last), let now = Self.pair(position), now < before {
      progress.withLock { $0.problems.append("from \(before) back to \(now)") }
    }
    let orphans = try connection.scalarInteger(
      "SELECT count(*) FROM item WHERE maker NOT IN (SELECT id FROM maker) OR code LIKE '~%'")
    if orphans != 0 { progress.withLock { $0.problems.append("rows that do not fit") } }
    return position
  }

  private static func pair(_ row: [SQLiteValue]) -> (Int64, Int64)? {
    guard row.count == 2, case .integer(let epoch) = row[0], case .integer(let seq) = row[1] else {
      return nil
    }
    return (epoch, seq)
  }
}
