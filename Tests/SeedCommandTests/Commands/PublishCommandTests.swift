import Foundation
import SeedModel
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct PublishCommandTests {
  private let directory: TemporaryDirectory
  private let database: String
  private let target: String

  init() throws {
    directory = try TemporaryDirectory()
    database = directory.path("default.sqlite")
    target = directory.path("public")
    try build("<Events><Event name=\"a\"/><Event name=\"b\"/></Events>")
  }

  private func build(_ document: String) throws {
    try directory.write(document, to: "Events.xml")
    let capture = CapturedConsole()
    try #require(
      capture.run("build", directory.path("Events.xml"), "-o", database, "--compress", "--manifest")
        == .success)
  }

  private func run(_ arguments: String...) -> (code: ExitCode, capture: CapturedConsole) {
    let capture = CapturedConsole()
    return (CommandLineTool.run(arguments, on: capture.console), capture)
  }

  private func sql(_ text: String) throws {
    let connection = try Connection(path: database, mode: .readWrite)
    try connection.execute(text)
    try connection.close()
  }

  @Test func `it is silent when all is well, and says what it did when it is asked`() throws {
    let (code, capture) = run("publish", database, "--to", target)
    #expect(code == .success)
    #expect(capture.output == "")
    #expect(capture.error == "")
    let again = run("publish", database, "--to", target, "--verbose")
    #expect(again.capture.error.hasSuffix("/1, nothing has changed\n"))
    try build("<Events><Event name=\"a\"/><Event name=\"c\"/></Events>")
    let third = run("publish", database, "--to", target, "--json")
    let result = try JSONValue(parsing: Array(third.capture.output.utf8))
    #expect(result["status"] == "published")
    #expect(result["seq"] == 2)
    #expect(result["rows"] == 1)
    #expect(result["stream"] == "main")
  }

  @Test func `a column that a new row would need and that is not carried is told`() throws {
    try sql(
      """
      CREATE TABLE price(id INTEGER PRIMARY KEY NOT NULL, amount INTEGER NOT NULL,
        mine INTEGER NOT NULL, noted INTEGER NOT NULL DEFAULT 0, text TEXT);
      INSERT INTO price VALUES (1, 10, 0, 0, NULL);
      """)
    let connection = try Connection(path: database, mode: .readWrite)
    try CursorTables.create(on: connection)
    try connection.execute(
      #"INSERT INTO _seed_stream_table VALUES ('main', 'price', '["id"]', '["id","amount"]')"#)
    try connection.close()
    let (code, capture) = run("publish", database, "--to", target)
    #expect(code == .success)
    let warnings = capture.error.split(separator: "\n").filter { $0.contains("warning:") }
    #expect(warnings.count == 1)
    #expect(
      warnings.first?.contains("into \"price\": the stream does not carry column \"mine\"") == true)
  }

  @Test func `what lies beside the database goes with it`() throws {
    #expect(run("publish", database, "--to", target).code == .success)
    #expect(run("verify", database).code == .success)
    for (seed, name) in [(database, "a.sqlite"), (database + ".gz", "b.sqlite")] {
      #expect(run("install", seed, directory.path(name)).code == .success)
      let connection = try Connection(path: directory.path(name), mode: .readOnly)
      #expect(try CursorTables.cursor(of: "main", in: connection)?.position.seq == 1)
    }
    // Neither does the next build take the position for a reason to do anything.
    let checked = run("build", directory.path("Events.xml"), "-o", database, "--check")
    #expect(checked.code == .success, "\(checked.capture.output)\(checked.capture.error)")
  }

  @Test func `a build after a publication says what it takes away, and publishing puts it back`()
    throws
  {
    #expect(run("publish", database, "--to", target).code == .success)
    let source = directory.path("Events.xml")
    let built = run("build", source, "-o", database, "--compress", "--manifest")
    #expect(built.code == .success)
    #expect(built.capture.error.hasPrefix("\(database): warning: the database before stood at "))
    #expect(
      built.capture.error.contains("hint: run \"seed publish \(database) --to DIRECTORY\" before"))
    let again = run("publish", database, "--to", target, "--verbose")
    #expect(again.capture.error.hasSuffix("/1, nothing has changed\n"))
    // Asked to be quiet it is.
    #expect(run("build", source, "-o", database, "--quiet").capture.error == "")
  }

  @Test func `a stream that brings nothing leaves a database that verify calls sound`() throws {
    #expect(run("publish", database, "--to", target).code == .success)
    let source = target + "/main/v1"
    #expect(run("stream", database, "--once", "--source", source).code == .success)
    let verified = run("verify", database, "--verbose")
    #expect(verified.code == .success)
    #expect(verified.capture.output == "\(database): ok\n")
    try sql("PRAGMA journal_mode = WAL")
    let noted = run("verify", database, "--verbose")
    #expect(noted.code == .success)
    #expect(noted.capture.output.contains("note: the database is in WAL mode"))
    #expect(noted.capture.output.hasSuffix("\n\(database): ok\n"))
    #expect(run("verify", database).capture.output.contains("note: "))
    #expect(!run("verify", database).capture.output.contains(": ok"))
    #expect(run("publish", database, "--to", target).code == .success)
    #expect(run("verify", database, "--verbose").capture.output == "\(database): ok\n")
  }

  @Test func `inspect shows where the database stands`() throws {
    #expect(run("publish", database, "--to", target).code == .success)
    let text = run("inspect", database).capture.output
    let connection = try Connection(path: database, mode: .readOnly)
    let position = try #require(try CursorTables.cursor(of: "main", in: connection)?.position)
    #expect(text.contains("main at \(position.epoch)/1, \(position.id)"))
    #expect(!text.contains("\ntable _seed_stream"))
    let document = try JSONValue(
      parsing: Array(run("inspect", database, "--json").capture.output.utf8))
    #expect(document["streams"]?.arrayValue?.first?["id"] == .string(position.id))
  }

  @Test(arguments: [
    (["--to", ""], ExitCode.usage, "the path of the directory is empty"),
    ([], .usage, "option \"--to\" is missing"),
    (["--keep", "-1"], .usage, "\"-1\" is not a value"),
    (["--to", "x", "--stream", "a/b"], .usage, "cannot be a stream's name"),
  ])
  func `a command line that makes no sense is refused`(
    arguments: [String], code: ExitCode, message: String
  ) throws {
    let capture = CapturedConsole()
    #expect(CommandLineTool.run(["publish", database] + arguments, on: capture.console) == code)
    #expect(capture.error.contains(message), "\(capture.error)")
  }

  @Test func `errors have the exit code of whose fault they are`() throws {
    #expect(run("publish", directory.path("none.sqlite"), "--to", target).code == .missingInput)
    let text = try directory.write("no database at all", to: "text.sqlite")
    #expect(run("publish", text, "--to", target).code == .badInput)
    let file = try directory.write("x", to: "file")
    let refused = run("publish", database, "--to", file + "/public")
    #expect(refused.code == .cannotCreate, "\(refused.capture.error)")
    #expect(run("publish", database, "--to", target).code == .success)
    try build("<Events><Event title=\"a\"/><Event title=\"b\"/></Events>")
    let changed = run("publish", database, "--to", target)
    #expect(changed.code == .badInput)
    #expect(changed.capture.error.contains("hint: apps in the field rely on it"))
  }

  @Test func `a stream that is not named where there are others is a usage error`() throws {
    #expect(run("publish", database, "--to", target, "--stream", "catalog").code == .success)
    try build("<Events><Event name=\"a\"/><Event name=\"c\"/></Events>")
    let refused = run("publish", database, "--to", target)
    #expect(refused.code == .usage)
    #expect(
      refused.capture.error.contains("no stream is named, and the directory has \"catalog\"\n"),
      "\(refused.capture.error)")
  }

  // MARK: verify

  @Test func `verify looks whether the database has its place in what is published`() throws {
    let folder = target + "/main/v1"
    let none = run("verify", database, "--published", target)
    #expect(none.code == .missingInput)
    // Other streams there, or nothing yet: the database without a position is what is wrong.
    try FileManager.default.createDirectory(
      atPath: target + "/else", withIntermediateDirectories: true)
    let nowhere = run("verify", database, "--published", target)
    #expect(nowhere.code == .finding, "\(nowhere.capture.error)")
    #expect(nowhere.capture.output.contains("the database has no position in any stream"))
    #expect(run("publish", database, "--to", target).code == .success)
    #expect(
      run("verify", database, "--published", directory.path("nothing/v1")).code == .missingInput)
    let old = directory.path("old.sqlite")
    try FileManager.default.copyItem(atPath: database, toPath: old)
    try build("<Events><Event name=\"a\"/><Event name=\"c\"/></Events>")
    let unpositioned = run("verify", database, "--published", folder, "--json")
    #expect(unpositioned.code == .finding)
    #expect(unpositioned.capture.output.contains("stream-position"))
    #expect(run("publish", database, "--to", target).code == .success)
    for path in [database, old] {
      for place in [target, folder] {
        let found = run("verify", path, "--published", place)
        #expect(found.code == .success, "\(found.capture.output)\(found.capture.error)")
      }
    }
    try sql("UPDATE _seed_stream SET id = 'ffffffffffffffff'")
    let fork = run("verify", database, "--published", folder)
    #expect(fork.code == .finding)
    #expect(fork.capture.output.contains("of another history"))
    try sql("UPDATE _seed_stream SET seq = 9")
    #expect(run("verify", database, "--published", folder).capture.output.contains("only at"))
    try sql("UPDATE _seed_stream SET seq = 1, id = 'ffffffffffffffff'")
    #expect(run("verify", database, "--published", folder).code == .finding)
    try sql("UPDATE _seed_stream SET epoch = 1")
    #expect(run("verify", database, "--published", folder).capture.output.contains("began anew"))
  }

  @Test func `verify names the files that a head names and that are not there`() throws {
    #expect(run("publish", database, "--to", target).code == .success)
    let objects = target + "/main/v1/o"
    try FileManager.default.removeItem(atPath: objects)
    let found = run("verify", database, "--published", target)
    #expect(found.code == .finding)
    #expect(found.capture.output.contains("which the head names, is not there"))
  }

  @Test func `verify warns of an app's foreign keys that get in the way`() throws {
    try sql(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, u UNIQUE);
      """)
    #expect(run("publish", database, "--to", target).code == .success)
    try sql(
      """
      CREATE TABLE favourite(p REFERENCES p(id)); CREATE TABLE fine(p REFERENCES p ON DELETE SET NULL);
      CREATE TABLE note(p REFERENCES p(id) ON DELETE CASCADE);
      CREATE TABLE gone(e REFERENCES Event ON DELETE CASCADE);
      """)
    let found = try JSONValue(
      parsing: Array(run("verify", database, "--json").capture.output.utf8))
    let streams = (found["findings"]?.arrayValue ?? []).filter {
      $0["code"]?.stringValue?.hasPrefix("stream-") == true
    }
    #expect(streams.map { $0["code"] } == ["stream-foreign-key", "stream-cascade"])
    #expect(streams.map { $0["table"] } == ["favourite", "note"])
    #expect(streams.allSatisfy { $0["severity"] == "warning" })
  }

  @Test(.enabled(if: NginxServer.isAvailable))
  func `the guide's nginx configuration serves what is published`() throws {
    #expect(run("publish", database, "--to", target).code == .success)
    let server = try NginxServer(root: target, directives: try PublishingGuide.nginxDirectives)
    for slash in ["", "/"] {
      let found = run("verify", database, "--published", server.url("/main/v1") + slash)
      #expect(found.code == .success, "\(found.capture.output)\(found.capture.error)")
    }
    let object = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: target + "/main/v1/o")
        .first { $0.contains("/") })
    let headers = try CommandRun.run(
      "/usr/bin/env",
      [
        "curl", "-sI", "-H", "Accept-Encoding: gzip",
        server.url("/main/v1/o/\(object)"), server.url("/main/v1/head.json"),
        server.url("/main/v1/missing"),
      ]
    ).text.lowercased()
    #expect(headers.contains("cache-control: public, max-age=31536000, immutable, no-transform"))
    #expect(headers.contains("content-type: application/octet-stream"))
    #expect(headers.contains("accept-ranges: bytes"))
    #expect(headers.contains("cache-control: public, max-age=30, stale-while-revalidate=60"))
    #expect(headers.contains("cache-control: no-store"))
    #expect(!headers.contains("content-encoding"))
    let missing = run("verify", database, "--published", server.url("/none/v1"))
    #expect(missing.code == .unavailable)
  }
}
