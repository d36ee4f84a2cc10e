import Foundation
import SeedModel
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

/// Streams that a project file declares, from the build to the app.
@Suite struct StreamProjectTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(
      """
      CREATE TABLE product(id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, title TEXT,
        favourite INTEGER, length INTEGER AS (length(title)));
      CREATE TABLE maker(name TEXT PRIMARY KEY);
      CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT);
      CREATE VIEW titles AS SELECT title FROM product;
      """, to: "schema.sql")
    try write("A1,Anvil")
  }

  private func write(_ rows: String) throws {
    try directory.write("sku,title\n\(rows)\n", to: "product.csv")
  }

  /// Builds with these streams.
  @discardableResult
  private func build(_ streams: String) throws -> (code: ExitCode, console: CapturedConsole) {
    let path = try directory.write(
      """
      { "schema": "schema.sql", "sources": [{ "file": "product.csv" }], "streams":
      \(streams)
      }
      """, to: "seed.json")
    let capture = CapturedConsole()
    return (capture.run("build", "--config", path, "--force"), capture)
  }

  /// Runs the program in the folder of the project file.
  private func seed(_ arguments: String...) throws -> CommandRun {
    try CommandRun.run(
      Project.tool.path, arguments,
      environment: ["XDG_CACHE_HOME": directory.path("cache"), "PATH": "/usr/bin:/bin"],
      directory: directory.path)
  }

  private func declared(_ name: String = "default.sqlite") throws -> [String] {
    try Connection(path: directory.path(name), mode: .readOnly).rows(
      "SELECT stream, \"table\", key, columns FROM _seed_stream_table ORDER BY 1, 2"
    ).map { row in
      row.map { if case .text(let text) = $0 { text } else { "?" } }.joined(separator: " ")
    }
  }

  @Test func `the database says which tables and columns its streams carry`() throws {
    let (code, console) = try build(
      """
      { "catalog": { "tables": ["Maker",
          { "table": "product", "key": ["sku"], "columns": ["title"] }] },
        "notes": { "tables": ["note"], "source": "https://cdn.example/notes/v1" } }
      """)
    #expect(code == .success, "\(console.error)")
    #expect(
      try declared() == [
        "catalog maker [\"name\"] [\"name\"]",
        "catalog product [\"sku\"] [\"sku\",\"title\"]",
        "notes note [\"id\"] [\"id\",\"text\"]",
      ])
    #expect(try seed("verify", "default.sqlite").status == 0)
    // Nothing of them is a table that anybody made.
    #expect(try !seed("inspect", "default.sqlite").text.contains("\ntable _seed_stream"))
  }

  @Test func `a column that new rows lack is warned of by the build and by the publication`() throws
  {
    try directory.write(
      """
      CREATE TABLE product(id INTEGER PRIMARY KEY NOT NULL, sku TEXT NOT NULL UNIQUE, title TEXT,
        favourite INTEGER NOT NULL DEFAULT 0);
      """, to: "schema.sql")
    let streams = """
      { "s": { "tables": [{ "table": "product", "columns": ["title"] }] } }
      """
    let (code, console) = try build(streams)
    #expect(code == .success)
    let line = console.error.split(separator: "\n").first { $0.contains("cannot insert rows") }
    #expect(line?.contains("seed.json:2:") == true)
    #expect(line?.contains("column \"sku\", which is NOT NULL without a DEFAULT") == true)
    #expect(!console.error.contains("favourite"))
    let run = try seed("publish", "default.sqlite", "--to", "public")
    #expect(run.status == 0)
    #expect(run.errorText.contains("cannot insert rows into \"product\""))
    let whole = try build(streams.replacing("title", with: "sku"))
    #expect(!whole.console.error.contains("cannot insert rows"))
  }

  @Test func `without columns all are carried that are stored`() throws {
    try build("{ \"catalog\": { \"tables\": [\"product\"] } }")
    #expect(
      try declared() == ["catalog product [\"id\"] [\"id\",\"sku\",\"title\",\"favourite\"]"])
  }

  @Test(arguments: [
    ("[\"product\"]", 27, true),
    ("[{ \"table\": \"product\", \"key\": [\"id\"] }]", 38, true),
    ("[{ \"table\": \"product\", \"key\": [\"sku\"] }]", 0, false),
  ])
  func `carrying rows that are only numbered is a warning`(
    tables: String, column: Int, isExpected: Bool
  ) throws {
    let (code, console) = try build("{ \"catalog\": { \"tables\": \(tables) } }")
    #expect(code == .success)
    let words =
      "seed.json:2:\(column): warning: stream \"catalog\" carries \"product\", whose keys are mere "
      + "numbers of the records: "
    #expect(console.error.contains(words) == isExpected, "\(console.error)")
    #expect(console.error.contains("mere numbers") == isExpected)
    // Keys that are in the data are what a stream wants.
    try directory.write("id,sku,title\n7,A1,Anvil\n", to: "product.csv")
    #expect(
      try !build("{ \"catalog\": { \"tables\": [\"product\"] } }").console.error
        .contains("mere numbers"))
  }

  @Test(arguments: [
    (
      "{ \"s\": { \"tables\": [\"prodct\"] } }", 21, "there is no table \"prodct\"",
      "did you mean \"product\"?"
    ),
    (
      "{ \"s\": { \"tables\": [\"titles\"] } }", 21, "there is no table \"titles\"",
      "tables are maker, note, product"
    ),
    (
      "{ \"s\": { \"tables\": [{ \"table\": \"product\", \"columns\": [\"titel\"] }] } }", 55,
      "table \"product\" has no column \"titel\"", "did you mean \"title\"?"
    ),
    (
      "{ \"s\": { \"tables\": [{ \"table\": \"product\", \"columns\": [\"length\"] }] } }", 55,
      "table \"product\" has no column \"length\"", "generated columns are not carried"
    ),
    (
      "{ \"s\": { \"tables\": [{ \"table\": \"product\", \"key\": [\"title\"] }] } }", 32,
      "no UNIQUE index of table \"product\"", "add a UNIQUE index over the key"
    ),
    (
      "{ \"s\": { \"tables\": [\"note\"] }, \"t\": { \"tables\": [\"NOTE\"] } }", 50,
      "table \"note\" belongs to stream \"s\" already", "leave the table to one stream"
    ),
    ("{}", 1, "an empty object cannot be the value of \"streams\"", "name a stream"),
  ])
  func `what a stream cannot carry is an error at its place`(
    streams: String, column: Int, message: String, hint: String
  ) throws {
    let (code, console) = try build(streams)
    #expect(code == .badInput)
    let lines = console.error.split(separator: "\n").map(String.init)
    #expect(lines.first?.contains("seed.json:2:\(column): error: \(message)") == true, "\(lines)")
    #expect(lines.last?.contains(hint) == true, "\(lines)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("default.sqlite")))
  }

  @Test func `a Core Data store cannot have streams`() throws {
    try directory.makeDirectory("Model.xcdatamodel")
    try directory.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Product"
        representedClassName="Product"><attribute name="title" optional="YES"
        attributeType="String"/></entity></model>
      """, to: "Model.xcdatamodel/contents")
    let path = try directory.write(
      """
      { "schema": "Model.xcdatamodel", "sources": [{ "file": "product.csv" }],
        "streams": { "s": { "tables": ["note"] } } }
      """, to: "store.json")
    let capture = CapturedConsole()
    #expect(capture.run("build", "--config", path) == .badInput)
    #expect(
      capture.error.contains("store.json:2:16: error: a Core Data store cannot be kept fresh"))
  }

  @Test func `a check finds streams that the database does not have as they are declared`() throws {
    let streams = "{ \"catalog\": { \"tables\": [\"product\"] } }"
    try build(streams)
    func check(_ streams: String?) throws -> (status: Int32, text: String) {
      let project = """
        { "schema": "schema.sql", "sources": [{ "file": "product.csv" }]
        \(streams.map { ", \"streams\": \($0)" } ?? "") }
        """
      try directory.write(project, to: "seed.json")
      let run = try seed("build", "--check")
      return (run.status, run.text)
    }
    #expect(try check(streams).status == 0)
    for other in [
      nil, "{ \"other\": { \"tables\": [\"product\"] } }",
      "{ \"catalog\": { \"tables\": [{ \"table\": \"product\", \"columns\": [\"title\"] }] } }",
      "{ \"catalog\": { \"tables\": [\"product\"] }, \"notes\": { \"tables\": [\"note\"] } }",
    ] {
      let (status, text) = try check(other)
      #expect(status == 1)
      #expect(
        text.contains("the table \"_seed_stream_table\" does not say what the project file does"))
    }
    // A publication adds a position, and nothing that a build would write otherwise.
    #expect(try seed("publish", "default.sqlite", "--to", "public").status == 0)
    #expect(try check(streams).status == 0)
    #expect(try check("{ \"notes\": { \"tables\": [\"note\"] } }").status == 1)
  }

  @Test func `what a publication declares by itself is no finding of a check`() throws {
    try directory.write(
      "{ \"schema\": \"schema.sql\", \"sources\": [{ \"file\": \"product.csv\" }] }",
      to: "seed.json")
    #expect(try seed("build").status == 0)
    #expect(try seed("publish", "default.sqlite", "--to", "public").status == 0)
    #expect(try !declared().isEmpty)
    #expect(try seed("build", "--check").status == 0)
  }

  @Test func `what is declared is published, shipped and kept fresh, and the rest is the app's`()
    throws
  {
    let streams = """
      { "catalog": { "tables": [{ "table": "product", "columns": ["sku", "title"] }] } }
      """
    try build(streams)
    #expect(try seed("publish", "default.sqlite", "--to", "public").status == 0)
    try #require(try seed("install", "default.sqlite", "app.sqlite").status == 0)
    let app = try Connection(path: directory.path("app.sqlite"), mode: .readWrite)
    try app.execute("UPDATE product SET favourite = 1; INSERT INTO note VALUES(1, 'mine')")
    try write("A1,Great anvil\nB2,Rope")
    try build(streams)
    let published = try seed("publish", "default.sqlite", "--to", "public", "--json")
    #expect(try JSONValue(parsing: published.output)["stream"] == "catalog")
    let run = try seed(
      "stream", "app.sqlite", "--once", "--source", "public/catalog/v1", "--json")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(
      try app.rows("SELECT id, sku, title, favourite FROM product ORDER BY id") == [
        [.integer(1), .text("A1"), .text("Great anvil"), .integer(1)],
        [.integer(2), .text("B2"), .text("Rope"), .null],
      ])
    #expect(try app.rows("SELECT text FROM note") == [[.text("mine")]])
  }

  @Test func `without --source the project file says where the stream is`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(404, text: "no"))
    try build(
      "{ \"catalog\": { \"tables\": [\"product\"], \"source\": \"\(server.url("/catalog/v1"))\" },\n"
        + "\"notes\": { \"tables\": [\"note\"] } }")
    for stream in ["catalog", "notes"] {
      #expect(
        try seed("publish", "default.sqlite", "--to", "public", "--stream", stream).status == 0)
    }
    let run = try seed("stream", "default.sqlite", "--once", "--stream", "catalog")
    #expect(run.status == 69)
    #expect(server.requests.map(\.target) == ["/catalog/v1/head.json"])
    let unknown = try seed("stream", "default.sqlite", "--once", "--stream", "notes")
    #expect(unknown.status == 64)
    #expect(unknown.errorText.contains("name the \"source\" of stream \"notes\" in seed.json"))
  }
}
