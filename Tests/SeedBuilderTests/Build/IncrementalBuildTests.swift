import Foundation
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct IncrementalBuildTests {
  @Test func `what is built already is not built again`() throws {
    let workspace = try BuildWorkspace()
    #expect(try Build.runIfChanged(workspace.options)?.rowCount == 3)
    let before = try workspace.output
    #expect(try Build.runIfChanged(workspace.options) == nil)
    #expect(try workspace.output == before)
    #expect(try workspace.directory.names == ["Events.xml", "out.sqlite"])
  }

  @Test func `a source that was only touched or moved is not built again`() throws {
    var workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    let source = try workspace.directory.text(of: "Events.xml")
    try FileManager.default.removeItem(atPath: workspace.directory.path("Events.xml"))
    try workspace.directory.makeDirectory("moved")
    let moved = try workspace.directory.write(source, to: "moved/Events.xml")
    workspace.options.inputs = [.file(moved)]
    #expect(try Build.runIfChanged(workspace.options) == nil)
  }

  @Test func `a changed byte is built`() throws {
    let workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    // The same size, and nothing else in the database.
    try workspace.change("' place", to: "'\nplace")
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try Build.runIfChanged(workspace.options) == nil)
  }

  private static let changes: [@Sendable (inout BuildOptions) -> Void] = [
    { $0.pageSize = 512 }, { $0.analyzes = true }, { $0.dateFormat = "dd.MM.yyyy" },
    { $0.timeZone = "UTC" }, { $0.inputs[0].encoding = "UTF-8" }, { $0.writesManifest = true },
    { $0.userVersion = 3 }, { $0.applicationID = 3 }, { $0.autoVacuum = .full },
    { $0.seedName = "n" }, { $0.seedVersion = "1" },
  ]

  @Test(arguments: changes.indices)
  func `a changed option is built`(index: Int) throws {
    var workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    Self.changes[index](&workspace.options)
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try Build.runIfChanged(workspace.options) == nil)
  }

  @Test(arguments: [
    "UPDATE Event SET place = 'Hof ' WHERE id = 1", "CREATE INDEX i ON Event(place)",
    "UPDATE _seed SET content_sha256 = 'x'", "PRAGMA journal_mode = WAL",
    "UPDATE _seed SET inputs_sha256 = x'00'", "PRAGMA user_version = 9",
    "PRAGMA application_id = 9", "ANALYZE", "PRAGMA page_size = 512; VACUUM",
    "PRAGMA auto_vacuum = 1; VACUUM", "UPDATE _seed SET name = 'x'",
    "UPDATE _seed SET version = '1'",
  ])
  func `an output that was changed by hand is built again`(sql: String) throws {
    let workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    let before = try workspace.output
    try workspace.changeOutput(sql)
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try workspace.output == before)
  }

  @Test func `an output whose stamp was taken away is nobody's to replace`() throws {
    var workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    let before = try workspace.output
    try workspace.changeOutput("DROP TABLE _seed")
    let error = #expect(throws: BuildError.self) { try Build.runIfChanged(workspace.options) }
    #expect(error?.reason == .cannotCreate)
    workspace.options.replacesForeign = true
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try workspace.output == before)
  }

  @Test func `an output that is cut off is built again`() throws {
    let workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    let before = try workspace.output
    try workspace.directory.write(Array(before.dropLast(4096)), to: "out.sqlite")
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try workspace.output == before)
  }

  @Test func `a file that is no database is still not replaced`() throws {
    let workspace = try BuildWorkspace()
    try workspace.directory.write("precious", to: "out.sqlite")
    let error = #expect(throws: BuildError.self) { try Build.runIfChanged(workspace.options) }
    #expect(error?.reason == .cannotCreate)
    #expect(try workspace.directory.text(of: "out.sqlite") == "precious")
  }

  @Test func `a changed schema is built`() throws {
    var workspace = try BuildWorkspace()
    let schema = "CREATE TABLE Event(id INTEGER PRIMARY KEY, place TEXT)"
    let path = try workspace.directory.write(schema, to: "schema.sql")
    workspace.options.mapping.schema = Located(path)
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try Build.runIfChanged(workspace.options) == nil)
    try workspace.directory.write(schema + " STRICT", to: "schema.sql")
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try Build.runIfChanged(workspace.options) == nil)
  }

  @Test func `the output of a build that recorded nothing is built once more`() throws {
    let workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    #expect(try workspace.stamp?.inputsSHA256 == nil)
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try workspace.stamp?.inputsSHA256?.utf8.count == 64)
    #expect(try Verification.findings(inDatabaseAt: workspace.options.output).isEmpty)
  }

  @Test func `a missing source is an error even if there is an output`() throws {
    let workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    try FileManager.default.removeItem(atPath: workspace.directory.path("Events.xml"))
    let error = #expect(throws: BuildError.self) { try Build.runIfChanged(workspace.options) }
    #expect(error?.reason == .missingInput)
  }

  @Test func `a lost or stale manifest is written again`() throws {
    var workspace = try BuildWorkspace()
    workspace.options.writesManifest = true
    _ = try Build.runIfChanged(workspace.options)
    #expect(try Build.runIfChanged(workspace.options) == nil)
    let manifest = try workspace.directory.text(of: "out.sqlite.manifest.json")
    try workspace.directory.write(manifest + "\n", to: "out.sqlite.manifest.json")
    #expect(try Build.runIfChanged(workspace.options) != nil)
    try FileManager.default.removeItem(
      atPath: BuildManifest.path(beside: workspace.options.output))
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try workspace.directory.text(of: "out.sqlite.manifest.json") == manifest)
  }

  @Test func `a stamp without the column for the inputs is still read`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      CREATE TABLE _seed(format INTEGER NOT NULL, name TEXT NOT NULL, version TEXT,
        content_sha256 TEXT NOT NULL, tool TEXT NOT NULL);
      INSERT INTO _seed VALUES (1, 'n', NULL, 'd', 't')
      """)
    #expect(
      try SeedStamp.read(from: connection)
        == .present(SeedStamp(name: "n", contentSHA256: "d", tool: "t")))
  }

  @Test func `a stamp with the digest of the inputs is read as it was written`() throws {
    let connection = try Connection.inMemory()
    let stamp = SeedStamp(
      name: "n", version: "2", contentSHA256: "d", tool: "t", inputsSHA256: "i")
    try stamp.write(to: connection)
    #expect(try SeedStamp.read(from: connection) == .present(stamp))
  }
}
