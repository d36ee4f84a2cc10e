import TestSupport
import Testing

@testable import SeedStreams

/// A server whose resource is a table of PostgreSQL, as the vendor's documentation describes them.
@Suite struct HyperHivePostgreSQLTests {
  @Test(.enabled(if: PostgreSQLServer.isAvailable, "PostgreSQL is not installed"))
  func `tables of PostgreSQL are loaded, and then what has changed in them`() throws {
    let postgres = try PostgreSQLServer()
    _ = try postgres.run(
      """
      CREATE TABLE fruits(id bigint PRIMARY KEY, name text, price double precision);
      INSERT INTO fruits VALUES (1, 'apple', 0.1), (2, E'p\\u00ear\\n"x"', NULL),
        (9223372036854775807, '', 1e300);
      INSERT INTO fruits SELECT n, 'fruit ' || n, n / 7.0 FROM generate_series(10, 5000) AS n
      """)
    let bench = try HyperHiveBench(
      HyperHiveResource("fruits_get", try postgres.table("fruits", key: "id")))
    bench.server.change { state in
      state.source = { _ in (try? postgres.table("fruits", key: "id")).map { [$0] } }
    }
    try bench.loadSchema()
    #expect(try bench.load("fruits_get").outcome == .whole)
    let expected = { try postgres.run("SELECT id, name FROM fruits ORDER BY id").count }
    #expect(try bench.rows("fruits_get_fruits").count == 4994)
    #expect(try bench.rows("fruits_get_fruits").prefix(2) == ["1|apple|0.1", "2|pêr\n\"x\"|NULL"])
    #expect(try bench.rows("fruits_get_fruits").last == "9223372036854775807||1e+300")

    _ = try postgres.run(
      """
      UPDATE fruits SET price = 2.5 WHERE id = 1; DELETE FROM fruits WHERE id % 2 = 0;
      INSERT INTO fruits VALUES (6001, 'new', NULL)
      """)
    let load = try bench.load("fruits_get")
    #expect(load.outcome == .delta)
    #expect(load.version == 2)
    #expect(try bench.rows("fruits_get_fruits").first == "1|apple|2.5")
    #expect(try bench.rows("fruits_get_fruits").count == expected())
    #expect(try bench.load("fruits_get").outcome == .unchanged)
  }
}
