import Foundation
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct BuildCheckTests {
  private func codes(_ workspace: BuildWorkspace) throws -> [CheckReport.Finding.Code] {
    try Build.check(workspace.options).findings.map(\.code)
  }

  @Test func `what a build has made is up to date and stays as it is`() throws {
    let workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    let before = try workspace.output
    #expect(try Build.check(workspace.options).isUpToDate)
    #expect(try workspace.output == before)
    #expect(try workspace.directory.names == ["Events.xml", "out.sqlite"])
  }

  @Test func `a missing output is found and not made`() throws {
    let workspace = try BuildWorkspace()
    #expect(try codes(workspace) == [.missing])
    #expect(try workspace.directory.names == ["Events.xml"])
    var lost = workspace
    lost.options.output = workspace.directory.path("none/out.sqlite")
    #expect(try codes(lost) == [.missing])
    try workspace.directory.write([], to: "out.sqlite")
    #expect(try codes(workspace) == [.missing])
  }

  @Test func `a changed source is found with table, key, column and values`() throws {
    let workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    let before = try workspace.output
    try workspace.change("Ulm", to: "Köln")
    let report = try Build.check(workspace.options)
    #expect(report.findings.map(\.code) == [.content])
    let table = try #require(report.difference.tables.first)
    #expect(table.name == "Event")
    #expect(
      table.changed == [
        .init(
          key: [.init(column: "id", value: .integer(2))],
          changes: [.init(column: "place", old: .text("Ulm"), new: .text("Köln"))])
      ])
    #expect(try workspace.output == before)
    #expect(try workspace.directory.names == ["Events.xml", "out.sqlite"])
  }

  @Test(arguments: [
    "UPDATE Event SET place = 'x' WHERE id = 1", "CREATE INDEX i ON Event(place)",
    "PRAGMA user_version = 3", "INSERT INTO Event VALUES (9, 'y')",
  ])
  func `an output that was changed by hand is found`(sql: String) throws {
    let workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    try workspace.changeOutput(sql)
    #expect(try codes(workspace) == [.content])
  }

  @Test(arguments: [
    "VACUUM", "PRAGMA user_version = 0", "UPDATE _seed SET tool = 'seed 0.0.1'",
    "CREATE TABLE x(y); DROP TABLE x",
  ])
  func `the same content in another layout or by another version is up to date`(
    sql: String
  ) throws {
    let workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    try workspace.changeOutput(sql)
    #expect(try Build.check(workspace.options).isUpToDate)
  }

  @Test func `what options ask for besides content is found`() throws {
    var workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    workspace.options.pageSize = 512
    workspace.options.analyzes = true
    #expect(try codes(workspace) == [.pageSize, .statistics])
    workspace.options.pageSize = 4096
    workspace.options.analyzes = false
    workspace.options.autoVacuum = .full
    #expect(try codes(workspace) == [.autoVacuum])
    workspace.options.autoVacuum = AutoVacuum.none
    try workspace.changeOutput("ANALYZE")
    #expect(try codes(workspace) == [.statistics])
  }

  @Test(arguments: [
    "DROP TABLE _seed", "UPDATE _seed SET name = 'x'", "UPDATE _seed SET version = '1'",
    "UPDATE _seed SET content_sha256 = 'x'",
  ])
  func `a missing or another stamp is found`(sql: String) throws {
    let workspace = try BuildWorkspace()
    _ = try Build.run(workspace.options)
    try workspace.changeOutput(sql)
    #expect(try codes(workspace) == [.stamp])
  }

  @Test func `a record of inputs is no difference`() throws {
    var workspace = try BuildWorkspace()
    _ = try Build.runIfChanged(workspace.options)
    #expect(try Build.check(workspace.options).isUpToDate)
    workspace.options.writesManifest = true
    #expect(try codes(workspace) == [.manifest])
    _ = try Build.run(workspace.options)
    #expect(try Build.check(workspace.options).isUpToDate)
  }

  @Test func `a source that gives the same rows is up to date, but not its manifest`() throws {
    var workspace = try BuildWorkspace()
    workspace.options.writesManifest = true
    _ = try Build.run(workspace.options)
    try workspace.change("' place", to: "'\nplace")
    let report = try Build.check(workspace.options)
    #expect(report.findings.map(\.code) == [.manifest])
    #expect(report.findings.first?.message.contains("\"bytes\"") == false)
    #expect(report.findings.first?.message.contains("\"sha256\"") == true)
    workspace.options.writesManifest = false
    #expect(try Build.check(workspace.options).isUpToDate)
  }

  @Test func `errors of the sources and of the output are those of a build`() throws {
    let workspace = try BuildWorkspace()
    try workspace.directory.write("precious", to: "out.sqlite")
    let other = #expect(throws: BuildError.self) { try Build.check(workspace.options) }
    #expect(other?.reason == .cannotCreate)
    #expect(try workspace.directory.text(of: "out.sqlite") == "precious")
    try workspace.directory.write([], to: "out.sqlite")
    try FileManager.default.removeItem(atPath: workspace.directory.path("Events.xml"))
    let missing = #expect(throws: BuildError.self) { try Build.check(workspace.options) }
    #expect(missing?.reason == .missingInput)
  }

  @Test(arguments: [
    "DELETE FROM _seed_owned", "UPDATE _seed_owned SET column_name = 'id'",
    "DROP TABLE _seed_owned",
  ])
  func `an output that says otherwise what the seed owns is found`(sql: String) throws {
    var workspace = try BuildWorkspace()
    workspace.options.mapping.owned = [OwnedTable(table: "Event", columns: ["place"])]
    _ = try Build.run(workspace.options)
    #expect(try Build.check(workspace.options).isUpToDate)
    try workspace.changeOutput(sql)
    #expect(try codes(workspace) == [.declarations])
    #expect(
      try Build.check(workspace.options).findings.first?.message
        == "the table \"_seed_owned\" does not say what the project file does")
  }
}
