import Foundation
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

/// Random histories over several layouts: from every checkpoint, every way that a head lists leads
/// to exactly the state at its end.
@Suite struct HistoryTests {
  private struct Checkpoint {
    var path: String
    var id: String
    var state: [String: [[SQLiteValue]]]
  }

  @Test(arguments: [(2, 1), (3, 2), (4, 3), (8, 4), (8, 5)] as [(Int64, UInt64)])
  func `every segment leads from every checkpoint in it to its end`(
    fanOut: Int64, seed: UInt64
  ) async throws {
    let bench = try PublishBench(fanOut: fanOut)
    var history = RandomHistory(seed: seed)
    try bench.database(RandomHistory.schema)
    var checkpoints: [Int64: Checkpoint] = [:]
    var checked: Set<String> = []
    var snapshots: Set<Int64> = []
    for step in 0..<36 {
      let working = try Connection(path: bench.directory.path("new.sqlite"), mode: .readWrite)
      try history.change(working)
      if step == 11 { try Self.extend(working) }
      if step > 11 {
        try working.execute(
          """
          UPDATE item SET extra = \(history.number(4)) WHERE id % 4 = \(history.number(4));
          INSERT OR REPLACE INTO later VALUES(\(history.number(6)), \(history.number(3)));
          """)
      }
      try working.close()
      bench.time += 3600
      let path = try bench.unpositioned("new.sqlite", as: "checkpoint-\(step).sqlite")
      let result = try bench.publish(path)
      #expect(try bench.position(of: path) == result.position)
      let connection = try Connection(path: path, mode: .readOnly)
      let state = try ReferenceClient.state(of: connection)
      if let known = checkpoints[result.position.seq] {
        #expect(known.state == state, "nothing was new, and yet something is")
        continue
      }
      checkpoints[result.position.seq] = Checkpoint(
        path: path, id: result.position.id, state: state)
      let head = try bench.head()
      #expect(head.position == result.position)
      try check(head, bench, checkpoints, &checked)
      snapshots.insert(head.snapshot?.seq ?? 0)
    }
    #expect(checkpoints.count > 25)
    #expect(snapshots.count > 2)
    try await syncEach(checkpoints, bench)
  }

  /// The library's own client goes from every checkpoint to the newest one.
  private func syncEach(_ checkpoints: [Int64: Checkpoint], _ bench: PublishBench) async throws {
    let head = try bench.head()
    let end = try Connection(
      path: try #require(checkpoints[head.position.seq]).path, mode: .readOnly)
    var options = StreamOptions()
    options.cacheDirectory = bench.directory.path("cache")
    for (seq, checkpoint) in checkpoints {
      let stream = TableStream(
        "main", database: checkpoint.path, from: .static(bench.folder), options: options)
      let result = try await stream.sync()
      #expect(result.position == head.position)
      let connection = try Connection(path: checkpoint.path, mode: .readOnly)
      let state = try ReferenceClient.state(of: connection)
      #expect(try state == ReferenceClient.state(of: end, like: connection), "from \(seq)")
    }
  }

  private static func extend(_ connection: Connection) throws {
    try connection.execute(
      """
      ALTER TABLE item ADD COLUMN extra; UPDATE item SET extra = id WHERE id % 3 = 0;
      CREATE TABLE later(id INTEGER PRIMARY KEY, v); INSERT INTO later VALUES(1, 'one');
      """)
  }

  /// Makes what a checkpoint did not have yet, as an app's migration does.
  private static func migrate(_ connection: Connection) throws {
    guard try connection.scalarInteger("SELECT 1 FROM sqlite_schema WHERE name = 'later'") == nil
    else { return }
    try connection.execute(
      """
      ALTER TABLE item ADD COLUMN extra; CREATE TABLE later(id INTEGER PRIMARY KEY, v);
      DELETE FROM _seed_stream_table;
      """)
  }

  private func check(
    _ head: StreamHead, _ bench: PublishBench, _ checkpoints: [Int64: Checkpoint],
    _ checked: inout Set<String>
  ) throws {
    let snapshot = try #require(head.snapshot)
    #expect(head.segments.count <= 64)
    // What is listed leads from the snapshot to the head.
    var reached = snapshot.seq
    while let next = head.segments.filter({ $0.from <= reached && reached < $0.to }).last {
      reached = next.to
    }
    #expect(reached == head.position.seq)
    if checked.insert(snapshot.sha256).inserted {
      let path = try bench.directory.write(
        try Archive.unpacked(bench.object(snapshot.sha256), size: Int(snapshot.plainSize)),
        to: "snapshot.sqlite")
      #expect(
        try bench.position(of: path)
          == StreamPosition(epoch: head.position.epoch, seq: snapshot.seq, id: snapshot.id))
      let connection = try Connection(path: path, mode: .immutable)
      #expect(
        try ReferenceClient.state(of: connection) == checkpoints[snapshot.seq]?.state)
      #expect(try connection.scalarText("PRAGMA integrity_check") == "ok")
    }
    for segment in head.segments where checked.insert(segment.sha256).inserted {
      let text = try bench.text(of: segment)
      let end = try #require(checkpoints[segment.to])
      for start in segment.from...segment.to {
        let checkpoint = try #require(checkpoints[start])
        let copy = bench.directory.path("client.sqlite")
        if FileManager.default.fileExists(atPath: copy) {
          try FileManager.default.removeItem(atPath: copy)
        }
        try FileManager.default.copyItem(atPath: checkpoint.path, toPath: copy)
        let client = ReferenceClient(connection: try Connection(path: copy, mode: .readWrite))
        try client.connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        if end.state["later"] != nil { try Self.migrate(client.connection) }
        try client.apply(text, at: (start, checkpoint.id))
        let state = try ReferenceClient.state(of: client.connection)
        #expect(state == end.state, "from \(start) by \(segment.from)…\(segment.to)")
      }
    }
  }
}
