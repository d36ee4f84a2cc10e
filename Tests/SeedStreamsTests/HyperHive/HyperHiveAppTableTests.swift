import SeedSQLite
import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// What an app does to the tables that a server fills.
@Suite struct HyperHiveAppTableTests {
  private func run(_ sql: String, on bench: HyperHiveBench) throws {
    try Connection(path: bench.database, mode: .readWrite).execute(sql)
  }

  /// The resource of the bench without a key.
  private var unkeyed: HyperHiveResource {
    var resource = HyperHiveBench.resource
    resource.versions[0][0].columns?[0].isKey = false
    return resource
  }

  @Test(arguments: [false, true])
  func `a table that an app has dropped is loaded whole again`(hasChanged: Bool) throws {
    let bench = try HyperHiveBench()
    try bench.load()
    try run("DROP TABLE fruits_list", on: bench)
    if hasChanged {
      bench.server.change { state in
        state.change("fruits") { $0[0].rows.append(["4", "1", #""fig""#]) }
      }
    }
    let load = try bench.load()
    #expect(load.outcome == .whole)
    #expect(load.warnings == ["a table was dropped; the whole was loaded"])
    #expect(bench.server.calls.map(\.delta) == [nil, nil])
    #expect(try bench.rows().count == (hasChanged ? 4 : 3))
  }

  @Test func `a dropped table that the schema makes anew is loaded whole again`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    try run("DROP TABLE fruits_list", on: bench)
    #expect(try bench.loadSchema().tables == ["fruits_list"])
    #expect(try bench.load().outcome == .whole)
    #expect(try bench.rows().count == 3)
  }

  @Test func `triggers of an app run for rows that are really gone`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    try run(
      """
      CREATE TABLE favourite(fruit INTEGER); INSERT INTO favourite VALUES (1), (2);
      CREATE TRIGGER gone AFTER DELETE ON fruits_list
      BEGIN DELETE FROM favourite WHERE fruit = old.id; END;
      """, on: bench)
    bench.server.change { state in state.change("fruits") { $0[0].rows.removeFirst() } }
    #expect(try bench.load { $0.extent = .whole }.outcome == .whole)
    #expect(try bench.rows().map { $0.prefix(1) } == ["2", "3"])
    #expect(try bench.rows("favourite") == ["2"])
  }

  @Test func `rows that refer to the server's stay in a load of the whole`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    try run(
      """
      CREATE TABLE favourite(fruit INTEGER REFERENCES fruits_list(id) ON DELETE CASCADE);
      INSERT INTO favourite VALUES (1), (2); CREATE VIEW names AS SELECT name FROM fruits_list;
      """, on: bench)
    try bench.load { $0.extent = .whole }
    #expect(try bench.rows("favourite") == ["1", "2"])
    #expect(try bench.rows("names").count == 3)
  }

  @Test(arguments: [false, true])
  func `an index of an app that refuses a row is named`(hasKey: Bool) throws {
    let bench = try HyperHiveBench(hasKey ? HyperHiveBench.resource : unkeyed)
    try bench.load()
    try run("CREATE UNIQUE INDEX one ON fruits_list(name)", on: bench)
    let before = try bench.rows()
    bench.server.change { state in
      state.change("fruits") { $0[0].rows = [["1", "1", #""b""#], ["2", "1", #""b""#]] }
    }
    for extent in [HyperHiveLoadOptions.Extent.whole, .changes] {
      let error = try bench.failure { $0.extent = extent }
      #expect(error?.source == .database)
      #expect(error?.code == 2067)
      #expect(error?.message.contains("fruits_list.name") == true)
    }
    #expect(try bench.rows() == before)
  }

  @Test func `an index of an app stays on a table that the schema lacks`() throws {
    var resource = HyperHiveBench.resource
    resource.versions[0][0].columns = nil
    let bench = try HyperHiveBench(resource)
    try bench.load()
    try run("CREATE INDEX mine ON fruits_list(c3)", on: bench)
    try bench.load { $0.extent = .whole }
    let index = "SELECT 1 AS x FROM sqlite_schema WHERE name = 'mine'"
    #expect(try HyperHiveDatabase(path: bench.database).run(index).records.count == 1)
  }
}
