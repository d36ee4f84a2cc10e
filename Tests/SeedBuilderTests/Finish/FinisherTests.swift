import SeedBuilder
import SeedSQLite
import TestSupport
import Testing

@Suite struct FinisherTests {
  @Test(arguments: ["t0", "t1", "_seed_0", "_seed_1"])
  func `a table may have the name that another one had while it was loaded`(
    name: String
  ) throws {
    let directory = try TemporaryDirectory()
    let input = try directory.write(
      "<r><\(name) x='1'/><other x='2'/><other x='3'/></r>", to: "input.xml")
    let output = directory.path("output.sqlite")
    let summary = try Build.run(BuildOptions(inputs: [.file(input)], output: output))
    #expect(summary.tableCount == 2)

    let database = try Connection(path: output, mode: .readOnly)
    let published = name.hasPrefix("_seed") ? "_" + name : name
    #expect(try database.rows("SELECT x FROM \"\(published)\"") == [[.integer(1)]])
    #expect(try database.rows("SELECT x FROM other") == [[.integer(2)], [.integer(3)]])
  }

  @Test(arguments: [
    ("<r><a y='0'><sqlite x='1'/><sqlite x='2'/></a></r>", ["_sqlite_a_id", "a", "sqlite"]),
    ("<r><sqlite x='1'/><SQLite x='2'/></r>", ["_SQLite_2", "sqlite"]),
    ("<r><sqlite_x x='1'/><_SEED x='2'/></r>", ["__SEED", "_sqlite_x"]),
  ])
  func `a name that SQLite or the stamp keeps for itself is not given`(
    document: String, names: [String]
  ) throws {
    let directory = try TemporaryDirectory()
    let input = try directory.write(document, to: "input.xml")
    let output = directory.path("output.sqlite")
    _ = try Build.run(BuildOptions(inputs: [.file(input)], output: output))

    let database = try Connection(path: output, mode: .readOnly)
    let rows = try database.rows(
      "SELECT name FROM sqlite_schema WHERE name <> '_seed' ORDER BY name")
    #expect(rows == names.map { [.text($0)] })
  }
}
