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
}
