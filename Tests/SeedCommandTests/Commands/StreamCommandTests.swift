import SeedModel
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct StreamCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Runs the command against a folder that does not exist.
  private func run(
    _ arguments: [String]
  ) throws -> (code: ExitCode, output: JSONValue?, error: String) {
    let captured = CapturedConsole()
    let code = CommandLineTool.run(["stream"] + arguments, on: captured.console)
    let output = captured.output
    return (
      code, output.isEmpty ? nil : try JSONValue(parsing: Array(output.utf8)), captured.error
    )
  }

  @Test func `a database that is not there, or is nobody's, is an input that is missing`() throws {
    let path = directory.path("app.sqlite")
    let missing = try run([path, "--once", "--source", "x", "--json"])
    #expect(missing.code == .missingInput)
    #expect(missing.output?["error"] == "noDatabase")
    #expect(missing.output?["status"] == "error")
    try Connection(path: path, mode: .create).execute("CREATE TABLE t(a)")
    let plain = try run([path, "--once", "--source", "x", "--json"])
    #expect(plain.code == .missingInput)
    #expect(plain.output?["error"] == "notSeeded")
    #expect(plain.output?["seq"] == JSONValue.null)
  }

  @Test(arguments: [[], ["--stream", "s"]])
  func `a file that is no database is bad input, and named`(name: [String]) throws {
    let path = try directory.write([UInt8](repeating: 7, count: 4096), to: "junk")
    let junk = try run([path, "--once", "--source", "x"] + name)
    #expect(junk.code == .badInput)
    #expect(junk.error.contains("\(path): file is not a database"))
    #expect(junk.error.contains("hint: check that the file is an SQLite database"))
  }

  @Test func `credentials that are refused are told with the option that sends them`() {
    let error = StreamError(.unauthorized(url: "https://a.test"), stream: "s", phase: .checking)
    #expect(Failure(error).diagnostics.first?.hint?.contains("--header") == true)
  }

  @Test func `no stream is named that neither the database nor anybody else names`() throws {
    let path = directory.path("app.sqlite")
    let missing = try run([path, "--once", "--source", "x"])
    #expect(
      missing.error.hasPrefix("seed: error: there is no database at \(path) (opening)\n"))
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")
    let plain = try run([path, "--once", "--source", "x"])
    #expect(
      plain.error.hasPrefix("seed: error: the database does not stand in any stream (opening)\n"))
    #expect(try run([path, "--once", "--source", "x", "--json"]).output?["stream"] == .null)
    // What is declared is what is meant.
    try CursorTables.create(on: connection)
    try connection.execute(
      #"INSERT INTO _seed_stream_table VALUES ('shop', 't', '["a"]', '["a"]')"#)
    let declared = try run([path, "--once", "--source", "x"])
    #expect(
      declared.error.hasPrefix(
        "seed: error: stream \"shop\": the database does not say where in the stream it stands"))
    let named = try run([path, "--once", "--source", "x", "--stream", "else"])
    #expect(named.error.contains("stream \"else\": "))
  }

  @Test func `a position is written as the publisher writes it`() {
    let position = StreamPosition(epoch: 1_767_225_600, seq: 42, id: "x")
    func text(_ outcome: StreamResult.Outcome) -> String {
      StreamReport.text(
        of: StreamResult(
          outcome: outcome, position: position, rows: 1, bytes: 2048, requests: 1), "shop")
    }
    #expect(text(.current) == "shop is at 1767225600/42, nothing has changed")
    #expect(text(.applied) == "shop is at 1767225600/42, 1 row applied, 2 KB fetched")
    #expect(text(.merged) == "shop is at 1767225600/42, 1 row merged, 2 KB fetched")
    #expect(text(.stale) == "shop is at 1767225600/42, the server is behind")
  }

  @Test func `a source without a head is a server's fault`() throws {
    let path = directory.path("app.sqlite")
    let connection = try Connection(path: path, mode: .create)
    try CursorTables.create(on: connection)
    try connection.execute(
      """
      CREATE TABLE t(a INTEGER PRIMARY KEY);
      INSERT INTO _seed_stream VALUES ('s', 1, 2, 'x', NULL, '', 0);
      INSERT INTO _seed_stream_table VALUES ('s', 't', '["a"]', '["a"]')
      """)
    let run = try run([path, "--once", "--source", directory.path("none"), "--json"])
    #expect(run.code == .unavailable)
    #expect(run.output?["error"] == "notFound")
    #expect(
      run.output?["message"]?.stringValue
        == "there is no stream at \(directory.path("none"))/head.json")
    #expect(run.output?["stream"] == "s")
    #expect(run.output?["seq"] == 2)
    #expect(run.output?["requests"] == 1)
  }

  @Test(arguments: ["public/main/v1", "public/main/v1/", "public/main/v1/head.json", "public"])
  func `a stream is found by all that leads to its head, and says so when asked`(
    place: String
  ) throws {
    let path = directory.path("app.sqlite")
    let input = try directory.write("id\n1\n", to: "t.csv")
    try #require(CapturedConsole().run("build", input, "-o", path) == .success)
    #expect(CapturedConsole().run("publish", path, "--to", directory.path("public")) == .success)
    let source = directory.path("") + place
    let quiet = try run([path, "--once", "--source", source])
    #expect(quiet.code == .success, "\(quiet.error)")
    #expect(quiet.error == "")
    let loud = try run([path, "--once", "--source", source, "--verbose"])
    #expect(loud.error.hasPrefix("main is at "), "\(loud.error)")
    #expect(loud.error.hasSuffix("/1, nothing has changed\n"), "\(loud.error)")
    #expect(CapturedConsole().run("verify", path, "--published", source) == .success)
  }

  @Test func `where there is no stream, the other kind of source is named`() {
    func hint(_ url: String) -> String? {
      StreamError(.notFound(url: url), stream: "s", phase: .checking).hint
    }
    #expect(hint("https://a.example/v1/streams/s/head.json")?.contains("a dynamic source") == true)
    #expect(hint("https://a.example/s/v1")?.contains("is no dynamic source") == true)
  }

  @Test func `a web page in place of a head is told with its path`() throws {
    let path = directory.path("app.sqlite")
    let connection = try Connection(path: path, mode: .create)
    try CursorTables.create(on: connection)
    try connection.execute(
      """
      CREATE TABLE t(a INTEGER PRIMARY KEY);
      INSERT INTO _seed_stream VALUES ('s', 1, 2, 'x', NULL, '', 0);
      INSERT INTO _seed_stream_table VALUES ('s', 't', '["a"]', '["a"]')
      """)
    let head = try directory.write("<html></html>", to: "head.json")
    let run = try run([path, "--once", "--source", directory.path(""), "--json"])
    #expect(run.code == .badInput)
    #expect(run.output?["error"] == "webPage")
    #expect(run.error.contains("in place of the head at \(head)"))
  }

  @Test func `the way to go and the source have to be given`() throws {
    #expect(
      try run(["a.sqlite", "--source", "x"]).error.contains(
        "neither option \"--once\" nor \"--follow\" is given"))
    #expect(try run(["a.sqlite", "--once"]).error.contains("option \"--source\" is missing"))
    #expect(try run(["a.sqlite", "--once", "--follow", "--source", "x"]).code == .usage)
    let wrong = try run(["a.sqlite", "--once", "--source", "x", "--retry-delay", "soon"])
    #expect(wrong.code == .usage)
  }
}
