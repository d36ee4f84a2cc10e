import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

/// Builds from project files.
@Suite struct ProjectBuildTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(
      "<Events><Event timeStamp=\"05/03/2010\"/><Event timeStamp=\"06/03/2010\"/></Events>",
      to: "Events.xml")
  }

  /// Runs a command for a project file of this text.
  private func run(
    _ project: String, _ options: String..., command: String = "build"
  ) throws -> (code: ExitCode, console: CapturedConsole) {
    let path = try directory.write(project, to: "seed.json")
    let capture = CapturedConsole()
    let code = CommandLineTool.run([command, "--config", path] + options, on: capture.console)
    return (code, capture)
  }

  private func rows(_ query: String, in name: String = "default.sqlite") throws -> [[SQLiteValue]] {
    try Connection(path: directory.path(name), mode: .readOnly).rows(query)
  }

  @Test func `a project becomes the database that it describes, beside its file`() throws {
    try directory.makeDirectory("out")
    let (code, console) = try run(
      """
      {
        "name": "calendar", "version": "1.2", "output": "out/app.sqlite",
        "sources": [{ "file": "Events.xml", "format": "xml", "encoding": "UTF-8" }],
        "userVersion": 3, "applicationID": "Seed", "dateFormat": "dd/MM/yyyy", "analyze": true,
        "pragmas": { "page_size": 1024, "auto_vacuum": "full" }
      }
      """)
    #expect(code == .success, "\(console.error)")
    let name = "out/app.sqlite"
    #expect(
      try rows("SELECT timeStamp FROM Event", in: name)
        == [[.text("2010-03-05")], [.text("2010-03-06")]])
    #expect(
      try rows("SELECT name, version FROM _seed", in: name)
        == [[.text("calendar"), .text("1.2")]])
    #expect(try rows("PRAGMA user_version", in: name) == [[.integer(3)]])
    #expect(try rows("PRAGMA application_id", in: name) == [[.integer(0x5365_6564)]])
    #expect(try rows("PRAGMA page_size", in: name) == [[.integer(1024)]])
    #expect(try rows("PRAGMA auto_vacuum", in: name) == [[.integer(1)]])
    #expect(try rows("SELECT count(*) > 0 FROM sqlite_stat1", in: name) == [[.integer(1)]])
  }

  @Test(arguments: ["\"delimiter\": \";\"", "\"quote\": null", "\"columns\": [\"a\"]"])
  func `what is said of CSV about another file is an error at its place`(member: String) throws {
    let (code, console) = try run("{ \"sources\": [{ \"file\": \"Events.xml\",\n\(member) }] }")
    #expect(code == .badInput)
    let key = member.prefix { $0 != ":" }
    let path = "\(directory.path("seed.json")):2:\(key.count + 3)"
    #expect(
      console.error == """
        \(path): error: \(key) is about CSV and TSV, which "Events.xml" is not by its name
        hint: leave it out, or add "format": "csv"

        """)
  }

  @Test func `records go to the tables and columns that the project names`() throws {
    let (code, console) = try run(
      """
      {
        "sources": [{
          "file": "Events.xml",
          "records": { "Events/Event": { "table": "event", "columns": {
            "time_stamp": { "from": "@timeStamp", "type": "date", "format": "dd/MM/yyyy" } } } }
        }],
        "indexes": ["event(time_stamp)"]
      }
      """)
    #expect(code == .success, "\(console.error)")
    #expect(
      try rows("SELECT time_stamp FROM event") == [[.text("2010-03-05")], [.text("2010-03-06")]])
    #expect(
      try rows("SELECT count(*) FROM sqlite_schema WHERE type = 'index'") == [[.integer(1)]])
  }

  @Test func `a schema of the project is relative to its file`() throws {
    try directory.write(
      "CREATE TABLE event(id INTEGER PRIMARY KEY, time_stamp DATE NOT NULL);", to: "schema.sql")
    let (code, console) = try run(
      """
      { "schema": "schema.sql", "sources": [{ "file": "Events.xml" }], "dateFormat": "dd/MM/yyyy" }
      """)
    #expect(code == .success, "\(console.error)")
    #expect(try rows("SELECT count(time_stamp) FROM event") == [[.integer(2)]])
  }

  @Test func `options of the command line outrank the project`() throws {
    let (code, console) = try run(
      """
      { "output": "a.sqlite", "sources": [{ "file": "Events.xml" }], "dateFormat": "dd/MM/yyyy",
        "pragmas": { "page_size": 1024 } }
      """, "-o", directory.path("b.sqlite"), "--page-size", "2048", "--date-format", "MM/dd/yyyy",
      "--analyze")
    #expect(code == .success, "\(console.error)")
    #expect(try directory.names == ["Events.xml", "b.sqlite", "seed.json"])
    #expect(try rows("PRAGMA page_size", in: "b.sqlite") == [[.integer(2048)]])
    #expect(
      try rows("SELECT timeStamp FROM Event", in: "b.sqlite")
        == [[.text("2010-05-03")], [.text("2010-06-03")]])
    #expect(
      try rows("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'", in: "b.sqlite")
        == [[.integer(1)]])
  }

  @Test func `the schema of a project is printed`() throws {
    let (code, console) = try run(
      "{ \"sources\": [{ \"file\": \"Events.xml\" }], \"dateFormat\": \"dd/MM/yyyy\" }",
      command: "schema")
    #expect(code == .success)
    #expect(console.output.contains("timeStamp DATE NOT NULL"))
  }

  private static let refusals: [(project: String, code: ExitCode, error: String)] = [
    (
      "{ \"sources\": [{ \"fiel\": \"Events.xml\" }] }", .badInput,
      "seed.json:1:17: error: unknown key \"fiel\" in a source\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"None.xml\" }] }", .missingInput,
      "None.xml\"\nhint: paths are relative to the folder of the project file\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\" }], \"schema\": \"none.sql\" }", .missingInput,
      "seed.json:1:52: error: there is no file \""
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\" }, { \"file\": \"./Events.xml\" }] }", .badInput,
      "seed.json:1:51: error: the source \"./Events.xml\" is given more than once\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\" }], \"dateFormat\": \"dd.MM\" }", .badInput,
      "seed.json:1:56: error: date format \"dd.MM\" lacks \"yyyy\"\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\" }], \"timeZone\": \"Mars\" }", .badInput,
      "seed.json:1:54: error: unknown time zone \"Mars\"\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\", \"encoding\": \"klingon\" }] }", .badInput,
      "seed.json:1:15: error: unknown encoding \"klingon\"\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\" }], \"streams\": { \"s\": { \"tables\": [\"Evnt\"] } } }",
      .badInput, "seed.json:1:73: error: there is no table \"Evnt\" for a stream to carry\n"
    ),
    (
      "{ \"sources\": [{ \"file\": \"Events.xml\" }], \"output\": \"Events.xml\" }", .usage,
      "is the same file as a source"
    ),
  ]

  @Test(arguments: refusals.indices)
  func `what is wrong with a project is said in its file, and nothing is written`(
    index: Int
  ) throws {
    let refusal = Self.refusals[index]
    let (code, console) = try run(refusal.project)
    #expect(code == refusal.code)
    #expect(console.error.contains(refusal.error), "\(console.error)")
    #expect(try directory.names == ["Events.xml", "seed.json"])
  }

  @Test func `a project file that is missing is a missing input`() {
    let capture = CapturedConsole()
    #expect(capture.run("build", "--config", directory.path("none.json")) == .missingInput)
    #expect(capture.error.hasPrefix("\(directory.path("none.json")): error: no such file\n"))
  }

  @Test(arguments: ["seed.json", "events.seed.json"])
  func `a project file among the sources is not loaded as data`(name: String) throws {
    let path = try directory.write(
      "{ \"sources\": [{ \"file\": \"Events.xml\" }] }", to: name)
    let output = directory.path("data.sqlite")
    let capture = CapturedConsole()
    #expect(CommandLineTool.run(["build", path, "-o", output], on: capture.console) == .usage)
    #expect(
      capture.error
        == """
        seed: error: the source "\(path)" is a project file by its name
        hint: --config \(path) builds from it; --format json reads it as data

        """)
    let format = ["build", path, "--format", "json", "-o", output]
    #expect(CommandLineTool.run(format, on: CapturedConsole().console) == .success)
  }

  @Test func `the names of an envelope mean its own members alone`() throws {
    try directory.write(
      """
      {"success": true, "posts": [{"t": "a", "comments": [{"message": "x"}, {"message": "y"}]}]}
      """, to: "answer.json")
    let (code, console) = try run(
      """
      { "sources": [{ "file": "answer.json",
                      "envelope": { "success": "success", "message": "message" } }] }
      """)
    #expect(code == .success, "\(console.error)")
    #expect(
      try rows("SELECT posts_id, message FROM comments")
        == [[.integer(1), .text("x")], [.integer(1), .text("y")]])
  }

  @Test func `several records without values in one record are rows, whatever rules name`() throws {
    try directory.write(
      """
      <r><e x="1"/><o><i v="1"/><i v="2"/></o><o><i v="3"/></o><one><i v="4"/></one></r>
      """, to: "orders.xml")
    let (code, console) = try run(
      """
      { "sources": [{ "file": "orders.xml", "records": { "r/e": { "table": "E" } } }] }
      """)
    #expect(code == .success, "\(console.error)")
    #expect(
      try rows("SELECT v, o_id FROM i ORDER BY v")
        == [
          [.integer(1), .integer(1)], [.integer(2), .integer(1)], [.integer(3), .integer(2)],
          [.integer(4), .null],
        ])
    #expect(try rows("SELECT count(*) FROM o") == [[.integer(2)]])
    #expect(try rows("SELECT count(*) FROM sqlite_schema WHERE name = 'one'") == [[.integer(0)]])
  }

  @Test(
    arguments: [
      #"{"error": {"code": 500, "text": "quota"}}"#, #"{"rows": [{"a": 1}]}"#, #"[{"a": 1}]"#,
      #"{"success": {"v": false}, "rows": [{"a": 1}]}"#, "{}",
    ])
  func `an answer that does not say that it succeeded is refused`(answer: String) throws {
    try directory.write(answer, to: "answer.json")
    let (code, console) = try run(
      """
      { "sources": [{ "file": "answer.json", "envelope": { "success": "success" } }] }
      """)
    #expect(code == .badInput)
    #expect(console.error.contains("the answer has no \"success\""), "\(console.error)")
  }
}
