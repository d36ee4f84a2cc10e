import Foundation
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

/// Generated columns of published tables, whose values no segment carries.
@Suite struct GeneratedColumnTests {
  private static let ring = """
    CREATE TABLE seat(id INTEGER PRIMARY KEY, row INTEGER, place INTEGER AS (row * 2) STORED UNIQUE,
      tag TEXT NOT NULL, label TEXT AS ('seat ' || tag));
    CREATE UNIQUE INDEX seat_label ON seat(label);
    INSERT INTO seat(id, row, tag) VALUES(1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
    """

  @Test(arguments: [
    "UPDATE seat SET row = 9 - row; UPDATE seat SET row = row - 5",
    "UPDATE seat SET row = 10 + row; UPDATE seat SET row = 1 + (row - 10) % 3",
    "UPDATE seat SET tag = 'x' || tag; "
      + "UPDATE seat SET tag = CASE id WHEN 1 THEN 'b' WHEN 2 THEN 'c' ELSE 'a' END",
  ])
  func `unique values of generated columns change hands as others do`(change: String) throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.ring)
    try bench.publish(path)
    let app = bench.directory.path("app.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: app)
    let connection = try Connection(path: app, mode: .readWrite)
    try connection.execute("ALTER TABLE seat ADD COLUMN mine; UPDATE seat SET mine = id * 10")
    try connection.close()
    try bench.database(change)
    #expect(try bench.publish(path).isNew)
    var options = StreamOptions()
    options.cacheDirectory = bench.directory.path("cache")
    let result = try TableStream(
      "main", database: app, from: .static(bench.folder), options: options
    ).syncBlocking()
    #expect(result.outcome == .applied)
    let columns = "id, row, place, tag, label"
    let sql = "SELECT \(columns) FROM seat ORDER BY id"
    let reader = try Connection(path: app, mode: .readOnly)
    #expect(try reader.rows(sql) == Connection(path: path, mode: .readOnly).rows(sql))
    #expect(try reader.scalarInteger("SELECT sum(mine) FROM seat WHERE mine = id * 10") == 60)
  }
}
