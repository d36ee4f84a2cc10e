import SeedBuilder
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct BuildCommandTests {
  private let directory: TemporaryDirectory
  private let source: String
  private let output: String

  init() throws {
    directory = try TemporaryDirectory()
    source = try directory.write("<r><v id='1' n='a'/><v id='2' n='b'/></r>", to: "r.xml")
    output = directory.path("out.sqlite")
  }

  private func run(
    _ arguments: String..., isTerminal: Bool = false
  ) -> (code: ExitCode, output: String, error: String) {
    run(arguments, isTerminal: isTerminal)
  }

  private func run(
    _ arguments: [String], isTerminal: Bool = false
  ) -> (code: ExitCode, output: String, error: String) {
    let capture = CapturedConsole(isTerminal: isTerminal)
    let code = CommandLineTool.run(
      ["build", source, "-o", output] + arguments, on: capture.console)
    return (code, capture.output, capture.error)
  }

  /// Makes a database at the output's path that is none of ours.
  private func makeForeign(_ sql: String) throws -> [UInt8] {
    let connection = try Connection(path: output, mode: .create)
    try connection.execute(sql)
    try connection.close()
    return try directory.bytes(of: "out.sqlite")
  }

  @Test(arguments: [
    "CREATE TABLE people (name); INSERT INTO people VALUES ('Ada')", "CREATE VIEW v AS SELECT 1",
  ])
  func `a database that somebody else made is replaced only by force`(sql: String) throws {
    let before = try makeForeign(sql)
    for options in [[], ["--if-changed"], ["--manifest"]] {
      let (code, _, error) = run(options)
      #expect(code == .cannotCreate)
      #expect(
        error == """
          seed: error: \(output): exists and is a database that seed did not build
          hint: choose another name, or replace it with --force

          """)
      #expect(try directory.bytes(of: "out.sqlite") == before)
      #expect(try directory.names == ["out.sqlite", "r.xml"])
    }
    #expect(run("--force").code == .success)
    #expect(run().code == .success)
  }

  @Test func `a database that is installed for an app is replaced only by force`() throws {
    #expect(run().code == .success)
    let place = directory.path("app.sqlite")
    let console = CapturedConsole(isTerminal: false)
    #expect(CommandLineTool.run(["install", output, place], on: console.console) == .success)
    let build = ["build", source, "-o", place]
    let capture = CapturedConsole(isTerminal: false)
    #expect(CommandLineTool.run(build, on: capture.console) == .cannotCreate)
    #expect(
      capture.error == """
        seed: error: \(place): exists and is a database that was installed for an app, with what \
        the app wrote into it
        hint: choose another name, or replace it with --force

        """)
    #expect(CommandLineTool.run(build + ["--force"], on: capture.console) == .success)
  }

  @Test(arguments: ["", "PRAGMA user_version = 1"])
  func `a database with nothing in it is nobody's`(sql: String) throws {
    _ = try makeForeign(sql)
    #expect(run().code == .success)
  }

  @Test func `a database that cannot be read may be anybody's`() throws {
    #expect(run().code == .success)
    var bytes = try directory.bytes(of: "out.sqlite")
    for index in 100..<4_096 { bytes[index] = 0x55 }
    try directory.write(bytes, to: "out.sqlite")
    #expect(run().code == .cannotCreate)
    #expect(run("--force").code == .success)
    #expect(run("--check").code == .success)
  }

  @Test func `a check looks at whatever is there`() throws {
    let before = try makeForeign("CREATE TABLE people (name)")
    #expect(run("--check").code == .finding)
    #expect(try directory.bytes(of: "out.sqlite") == before)
  }

  @Test func `a check is silent when the output is up to date`() {
    #expect(run().code == .success)
    let check = run("--check")
    #expect(check.code == .success)
    #expect(check.output.isEmpty)
    #expect(check.error.isEmpty)
    #expect(run("--check", isTerminal: true).error == "\(output): is up to date\n")
    #expect(run("--check", "--verbose").error == "\(output): is up to date\n")
  }

  @Test func `a check prints what is stale as the result and exits with 1`() throws {
    _ = run()
    try directory.write("<r><v id='1' n='a'/><v id='2' n='c'/></r>", to: "r.xml")
    let check = run("--check")
    #expect(check.code == .finding)
    #expect(
      check.output == """
        \(output): error: the content is not what the sources give
        rows of v: 1 changed
            ~ id 2: n 'b' -> 'c'
        hint: run the same command without --check

        """)
    #expect(check.error.isEmpty)
    let quiet = run("--check", "--quiet")
    #expect(quiet.code == .finding)
    #expect(quiet.output.isEmpty)
  }

  @Test func `a check as JSON has findings and difference`() {
    let missing = run("--check", "--json")
    #expect(missing.code == .finding)
    #expect(
      missing.output == """
        {
          "output": "\(output)",
          "up_to_date": false,
          "findings": [
            {
              "code": "missing",
              "message": "there is no database yet"
            }
          ],
          "difference": {
            "equal": true,
            "settings": [],
            "schema": [],
            "tables": [],
            "notes": []
          }
        }

        """)
    _ = run()
    let fine = run("--check", "--json")
    #expect(fine.code == .success)
    #expect(fine.output.contains("\"up_to_date\": true"))
  }

  @Test func `a build that is not needed says so on a terminal`() {
    #expect(run("--if-changed", "--json").output.contains("\"rows\": 2"))
    let again = run("--if-changed")
    #expect(again.code == .success)
    #expect(again.output.isEmpty)
    #expect(again.error.isEmpty)
    #expect(run("--if-changed", isTerminal: true).error == "\(output): is up to date\n")
    #expect(
      run("--if-changed", "--json").output
        == "{\n  \"output\": \"\(output)\",\n  \"up_to_date\": true\n}\n")
  }

  @Test func `checking and building if changed contradict each other`() {
    let both = run("--check", "--if-changed")
    #expect(both.code == .usage)
    #expect(both.error.contains("\"--check\" and \"--if-changed\" contradict each other"))
  }

  @Test func `a manifest does not replace a source`() throws {
    try directory.write("<r/>", to: "out.sqlite.manifest.json")
    let capture = CapturedConsole()
    let manifest = directory.path("out.sqlite.manifest.json")
    #expect(capture.run("build", manifest, "-o", output, "--manifest") == .usage)
    #expect(capture.error.contains("is the same file as a source"))
    #expect(try directory.text(of: "out.sqlite.manifest.json") == "<r/>")
    #expect(try directory.names == ["out.sqlite.manifest.json", "r.xml"])
  }

  @Test(arguments: [
    (
      "data.yaml", Array("a: b\n".utf8),
      "name it with --format, or convert it to one of xml, json, ndjson, csv, tsv, plist"
    ),
    ("sheet.xls", [0xD0, 0xCF, 0x11, 0xE0], "export the sheet as CSV, and build from that"),
    ("sheet.xlsx", Array("PK\u{3}\u{4}".utf8), "export the sheet as CSV, and build from that"),
    ("data.zip", Array("PK\u{3}\u{4}".utf8), "unpack it first"),
    (
      "app.sqlite", Array("SQLite format 3\0".utf8),
      "take it as the template with --schema, or export its rows as CSV to build from them"
    ),
  ])
  func `what is no source comes with what to do about it`(
    name: String, bytes: [UInt8], hint: String
  ) throws {
    let path = try directory.write(bytes, to: name)
    let capture = CapturedConsole()
    #expect(capture.run("build", path, "-o", output) == .badInput)
    #expect(capture.error.hasPrefix("\(path)"))
    #expect(capture.error.hasSuffix("\nhint: \(hint)\n"), "\(capture.error)")
  }

  @Test(arguments: ["none.sql", "None.xcdatamodeld"])
  func `a schema that is not there is not looked for on the standard input`(name: String) throws {
    let result = run("--schema", directory.path(name))
    #expect(result.code == .missingInput)
    #expect(
      result.error == "\(directory.path(name)): error: no such file\nhint: check the path\n")
  }
}
