import Foundation
import SeedModel
import SeedProject
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct InitCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ arguments: String...) -> (code: ExitCode, console: CapturedConsole) {
    let capture = CapturedConsole()
    return (CommandLineTool.run(["init"] + arguments, on: capture.console), capture)
  }

  @discardableResult
  private func writeEvents() throws -> String {
    try directory.write(
      "<Events><Event timeStamp=\"16.01.2010\"><tag>a</tag><tag>b</tag></Event></Events>",
      to: "Events.xml")
  }

  @Test func `the file names every record, column and type`() throws {
    let (code, console) = run(try writeEvents(), "-o", directory.path("seed.json"))
    #expect(code == .success)
    #expect(console.error.isEmpty && console.output.isEmpty)
    #expect(
      try directory.text(of: "seed.json") == """
        {
          "$schema": "seed.schema.json",
          "name": "Events",
          "output": "default.sqlite",
          "sources": [
            {
              "file": "\(directory.path("Events.xml"))",
              "records": {
                "Events/Event": {
                  "table": "Event",
                  "columns": {
                    "timeStamp": { "from": "@timeStamp", "type": "date", "format": "dd.MM.yyyy" }
                  }
                },
                "Events/Event/tag": {
                  "table": "tag",
                  "columns": {
                    "text": { "from": ".", "type": "text" }
                  }
                }
              }
            }
          ]
        }

        """)
    #expect(try directory.text(of: "seed.schema.json") == ProjectSchema.text)
  }

  @Test func `options are kept in the file`() throws {
    let source = try writeEvents()
    let schema = try directory.write("CREATE TABLE Event(id, timeStamp DATE)", to: "schema.sql")
    let (code, console) = run(
      source, "-o", directory.path("a.json"), "--date-format", "dd.MM.yyyy", "--time-zone", "UTC",
      "--format", "xml", "--encoding", "UTF-8", "--schema", schema, "--ignore-extra")
    #expect(code == .success)
    #expect(
      console.error == """
        \(schema): note: no rules for records are written, since records go where names of the \
        schema do
        hint: add "records" to a source whose names are others

        """)
    let project = try ProjectFile.read(directory.path("a.json"))
    #expect(project.dateFormat?.value == "dd.MM.yyyy")
    #expect(project.timeZone?.value == "UTC")
    #expect(project.ignoresExtra)
    #expect(project.sources.first?.format == .xml)
    #expect(project.sources.first?.encoding == "UTF-8")
    // The names of a given schema are not those of the inference.
    #expect(project.sources.first?.records.isEmpty == true)
  }

  @Test func `an address is written down and not read where a schema has the names`() throws {
    let schema = try directory.write("CREATE TABLE a(id)", to: "schema.sql")
    let (code, _) = run(
      "https://example.invalid/a.xml", "-o", directory.path("seed.json"), "--schema", schema)
    #expect(code == .success)
    let project = try ProjectFile.read(directory.path("seed.json"))
    #expect(project.sources.count == 1)
    guard case .url(let url, _) = project.sources.first?.origin else {
      Issue.record("no address")
      return
    }
    #expect(url.value == "https://example.invalid/a.xml")
  }

  @Test func `a password in an address is not written down`() throws {
    let (code, console) = run(
      "http://alice:5ecret@localhost:1/a.json", "-o", directory.path("seed.json"))
    #expect(code == .usage)
    #expect(console.error.contains("\"http://…@localhost:1/a.json\" has a user or a password"))
    #expect(console.error.contains("--header 'Authorization: $NAME'"))
    #expect(!console.error.contains("5ecret"))
    #expect(try directory.names.isEmpty)
  }

  @Test func `a schema that is not there leaves no file`() throws {
    let (code, console) = run(
      try writeEvents(), "-o", directory.path("seed.json"), "--schema", "none.sql")
    #expect(code == .missingInput)
    #expect(console.error.contains("there is no file \"none.sql\""))
    #expect(try directory.names == ["Events.xml"])
  }

  @Test func `a file that is there is replaced only by force`() throws {
    let source = try writeEvents()
    try directory.write("{\"sources\": []}", to: "seed.json")
    try directory.write("{\"title\": \"Seed project\"}", to: "seed.schema.json")
    let (code, console) = run(source, "-o", directory.path("seed.json"))
    #expect(code == .cannotCreate)
    #expect(
      console.error == """
        \(directory.path("seed.json")): error: exists already
        hint: choose another name, or replace it with --force

        """)
    #expect(try directory.text(of: "seed.json") == "{\"sources\": []}")
    #expect(try directory.text(of: "seed.schema.json") == "{\"title\": \"Seed project\"}")
    #expect(run(source, "-o", directory.path("seed.json"), "--force").code == .success)
    #expect(try directory.text(of: "seed.json").contains("Events.xml"))
    #expect(try directory.text(of: "seed.schema.json") == ProjectSchema.text)
  }

  @Test(arguments: ["SQLite format 3\0", "{\"name\": \"app\"}", "[]", "text"])
  func `force replaces nothing but a project file`(text: String) throws {
    let source = try writeEvents()
    let path = try directory.write(text, to: "package.json")
    let (code, console) = run(source, "-o", path, "--force")
    #expect(code == .cannotCreate)
    #expect(
      console.error == """
        \(path): error: exists and is not a project file
        hint: choose another name, or delete the file

        """)
    #expect(try directory.text(of: "package.json") == text)
  }

  @Test func `a file in the place of the JSON Schema leaves the project file as it was`() throws {
    let source = try writeEvents()
    let path = try directory.write("{\"sources\": []}", to: "seed.json")
    try directory.write("mine", to: "seed.schema.json")
    #expect(run(source, "-o", path, "--force").code == .cannotCreate)
    #expect(try directory.text(of: "seed.json") == "{\"sources\": []}")
    #expect(try directory.text(of: "seed.schema.json") == "mine")
  }

  @Test func `a source that is wrong leaves no file`() throws {
    let source = try directory.write("<a><b></a>", to: "a.xml")
    #expect(run(source, "-o", directory.path("seed.json")).code == .badInput)
    #expect(try directory.names == ["a.xml"])
  }

  @Test func `the standard input and the output itself are no sources`() throws {
    let source = try writeEvents()
    #expect(run("-", "-o", directory.path("seed.json")).code == .usage)
    #expect(run(source, "-o", source, "--force").code == .usage)
    #expect(run(source, "-o", "-").code == .usage)
  }

  @Test func `prefixes stand in paths that are the same without them`() throws {
    let source = try directory.write(
      "<r xmlns:x=\"x\" xmlns:y=\"y\"><x:b c=\"1\"/><y:b d=\"1\"/><y:e f=\"1\"/><y:e f=\"2\"/></r>",
      to: "a.xml")
    let (code, console) = run(source, "-o", directory.path("seed.json"))
    #expect(code == .success)
    #expect(console.error.isEmpty)
    let project = try ProjectFile.read(directory.path("seed.json"))
    #expect(project.sources.first?.records.map(\.path.value) == ["r/x:b", "r/y:b", "r/e"])
  }

  @Test func `records that share a path are left out with a warning`() throws {
    let source = try directory.write(
      "<r><x:b xmlns:x=\"x\" c=\"1\"/><x:b xmlns:x=\"y\" d=\"1\"/><e f=\"1\"/><e f=\"2\"/></r>",
      to: "a.xml")
    let (code, console) = run(source, "-o", directory.path("seed.json"))
    #expect(code == .success)
    #expect(console.error.contains("warning: no path leads to \"r/x:b\" alone"))
    let project = try ProjectFile.read(directory.path("seed.json"))
    #expect(project.sources.first?.records.map(\.path.value) == ["r/e"])
  }
}
