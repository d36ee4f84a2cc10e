import Foundation
import SeedModel
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Processes that are killed while they store an answer: all of its rows are there or none.
@Suite struct StoringKillTests {
  private static let noteCount = 3000

  /// How many moments are tried; `SEED_KILLS` asks for more.
  private static var count: Int {
    ProcessInfo.processInfo.environment["SEED_KILLS"].flatMap { Int($0) } ?? 6
  }

  /// Stores an answer whose every row has a number, in tables of each writing.
  private static func store(_ number: Int, into path: String) throws {
    let notes = (1...noteCount).map {
      #"{"id":\#($0),"round":\#(number),"tags":["a\#(number)","b\#(number)"]}"#
    }
    let more = number > 0 ? #","more\#(number)":[{"round":\#(number)}]"# : ""
    let text = #"""
      {"notes":[\#(notes.joined(separator: ","))],"stat":{"round":\#(number)}\#(more)}
      """#
    let answer = JSONAnswer(
      value: NoResponse(), document: try LocatedJSON(answer: Array(text.utf8)), envelope: nil,
      name: "answer", url: "")
    let options = StoreOptions(tables: ["notes": .upsert(by: "id"), "stat": .replace])
    try answer.store(into: path, options: options)
  }

  @Test func `an answer whose storing is killed anywhere is stored as a whole or not at all`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let path = directory.path("app.sqlite")
    try Self.store(0, into: path)
    let start = DispatchTime.now().uptimeNanoseconds
    try Self.store(0, into: path)
    let span = (DispatchTime.now().uptimeNanoseconds - start) * 3 / 2
    var stored = 0
    for number in 1...Self.count {
      let delay = UInt64.random(in: 0...span)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, number = number as Int, delay = delay as UInt64] in
        let thread = Thread {
          var time = timespec(
            tv_sec: Int(delay / 1_000_000_000), tv_nsec: Int(delay % 1_000_000_000))
          nanosleep(&time, nil)
          kill(getpid(), SIGKILL)
        }
        thread.start()
        try Self.store(number, into: path)
        kill(getpid(), SIGKILL)
      }
      let found = try check(path, "kill \(number) after \(delay) ns")
      #expect(found == stored || found == number, "kill \(number) after \(delay) ns")
      stored = found
    }
    try Self.store(Self.count + 1, into: path)
    #expect(try check(path, "the end") == Self.count + 1)
  }

  /// Looks whether all rows are of one round.
  ///
  /// - Returns: The round.
  private func check(_ path: String, _ moment: String) throws -> Int {
    // Opened for writing: what the killed process has begun is undone first.
    let connection = try Connection(path: path, mode: .readWrite)
    #expect(try connection.scalarText("PRAGMA integrity_check") == "ok", "\(moment)")
    #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty, "\(moment)")
    let rounds = try connection.rows("SELECT DISTINCT round FROM stat")
    guard rounds.count == 1, case .integer(let round) = rounds[0][0] else {
      Issue.record("\(moment): rounds \(rounds)")
      return -1
    }
    #expect(
      try connection.rows("SELECT count(*), min(round), max(round) FROM notes") == [
        [.integer(Int64(Self.noteCount)), .integer(round), .integer(round)]
      ], "\(moment)")
    #expect(
      try connection.rows(
        "SELECT count(*), min(text), max(text) FROM tags WHERE notes_id IS NOT NULL") == [
          [.integer(Int64(2 * Self.noteCount)), .text("a\(round)"), .text("b\(round)")]
        ], "\(moment)")
    let tables = try connection.scalarInteger(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'more' || ?1", .integer(round))
    #expect(tables == (round > 0 ? 1 : 0), "\(moment)")
    return Int(round)
  }
}
