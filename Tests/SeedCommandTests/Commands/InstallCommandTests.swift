import Foundation
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct InstallCommandTests {
  private let directory: TemporaryDirectory
  private let seed: String
  private let destination: String

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("<Events><Event name=\"a\"/><Event name=\"b\"/></Events>", to: "Events.xml")
    seed = directory.path("default.sqlite")
    destination = directory.path("app/events.sqlite")
    let capture = CapturedConsole()
    try #require(
      capture.run("build", directory.path("Events.xml"), "-o", seed, "--compress", "--manifest")
        == .success)
  }

  private func run(_ arguments: String...) -> (code: ExitCode, capture: CapturedConsole) {
    let capture = CapturedConsole()
    return (CommandLineTool.run(["install"] + arguments, on: capture.console), capture)
  }

  private func outcome(_ capture: CapturedConsole) throws -> String? {
    try JSONValue(parsing: Array(capture.output.utf8))["outcome"]?.stringValue
  }

  /// Builds a newer seed in place of the first one.
  private func renewSeed() throws {
    try directory.write(
      "<Events><Event name=\"a\"/><Event name=\"c\"/><Event name=\"d\"/></Events>",
      to: "Events.xml")
    let capture = CapturedConsole()
    try #require(
      capture.run("build", directory.path("Events.xml"), "-o", seed, "--compress", "--manifest")
        == .success)
  }

  private func rowCount() throws -> Int64? {
    try Connection(path: destination, mode: .readOnly).scalarInteger("SELECT count(*) FROM Event")
  }

  @Test func `it is silent when all is well, and says what it did when it is asked`() throws {
    let (code, capture) = run(seed, destination)
    #expect(code == .success)
    #expect(capture.output == "")
    #expect(capture.error == "")
    #expect(try rowCount() == 2)
    let again = run(seed, destination, "--verbose")
    #expect(
      again.capture.error
        == "\(destination): is current: it is Events, and the seed brings nothing newer\n")
  }

  @Test func `a merge keeps what is the user's, and says what it did`() throws {
    func build(_ version: String, _ events: String) throws {
      try directory.write("<Events>\(events)</Events>", to: "Events.xml")
      try directory.write(
        """
        {"version": "\(version)", "sources": [{"file": "Events.xml"}], "schema": "schema.sql",
        "owned": {"Event": ["name"]}}
        """, to: "shop.seed.json")
      let capture = CapturedConsole()
      try #require(
        capture.run(
          "build", "--config", directory.path("shop.seed.json"), "-o", seed, "--compress",
          "--manifest")
          == .success, "\(capture.error)")
    }
    try directory.write(
      "CREATE TABLE Event(code TEXT PRIMARY KEY, name TEXT, seen INTEGER DEFAULT 0);",
      to: "schema.sql")
    try build("1", "<Event code='a' name='A'/><Event code='b' name='B'/>")
    #expect(run(seed, destination).code == .success)
    let connection = try Connection(path: destination, mode: .readWrite)
    try connection.execute("UPDATE Event SET seen = 1; INSERT INTO Event VALUES ('mine', 'M', 1)")
    try connection.close()
    try build("2", "<Event code='a' name='New'/><Event code='c' name='C'/>")
    let (code, capture) = run(seed + ".gz", destination, "--policy", "merge", "--json")
    #expect(code == .success, "\(capture.error)")
    let result = try JSONValue(parsing: Array(capture.output.utf8))
    #expect(result["outcome"] == "merged")
    #expect(
      result["rows"] == ["inserted": 1, "updated": 1, "deleted": 1, "cascaded": 0, "unchanged": 0])
    let rows = try Connection(path: destination, mode: .readOnly).rows(
      "SELECT code || name || seen FROM Event ORDER BY code")
    #expect(rows == [[.text("aNew1")], [.text("cC0")], [.text("mineM1")]])
    #expect(run(destination, "--rollback").code == .success)
    let again = run(seed, destination, "--policy", "merge", "--verbose")
    #expect(
      again.capture.error.contains(": rows merged: 1 inserted, 1 updated, 1 deleted, 0 unchanged"))

    try directory.write("CREATE TABLE Other(code TEXT PRIMARY KEY);", to: "schema.sql")
    try directory.write("<r><Other code='a'/></r>", to: "Events.xml")
    try directory.write(
      """
      {"version": "3", "sources": [{"file": "Events.xml"}], "schema": "schema.sql",
      "owned": {"Other": true}, "name": "Events"}
      """, to: "shop.seed.json")
    _ = CapturedConsole().run(
      "build", "--config", directory.path("shop.seed.json"), "-o", seed, "--manifest")
    let refused = run(seed, destination, "--policy", "merge")
    #expect(refused.code == .cannotCreate)
    #expect(
      refused.capture.error.hasPrefix(
        "\(destination): error: cannot be merged: table \"Event\" is gone from the seed\nhint: "))
  }

  @Test func `a seed of another name that is kept out is warned about, also where it is silent`()
    throws
  {
    try directory.write("name\nA\n", to: "goods-2025.csv")
    let other = directory.path("other.sqlite")
    try #require(
      CapturedConsole().run("build", directory.path("goods-2025.csv"), "-o", other) == .success)
    #expect(run(seed, destination).code == .success)
    #expect(run(other, destination).capture.error == "")
    let (code, capture) = run(other, destination, "--policy", "merge")
    #expect(code == .success)
    #expect(
      capture.error == """
        \(destination): warning: kept: the installed database was made from another seed, Events, \
        and this is goods-2025
        hint: give both one "name" in the project file, or replace the content with \
        "--policy replace"

        """)
    let report = run(other, destination, "--policy", "merge", "--json").capture.output
    #expect(try JSONValue(parsing: Array(report.utf8))["because"] == "other-seed")
  }

  @Test func `what is done with the copy of the old content is told when it is asked for`() throws {
    #expect(run(seed, destination).code == .success)
    try renewSeed()
    #expect(run(seed, destination, "--policy", "replace").code == .success)
    #expect(
      run(destination, "--rollback", "--verbose").capture.error
        == "\(destination): the content from before the last replacement or merge is back\n")
    #expect(
      run(destination, "--discard-previous", "--verbose").capture.error
        == "\(destination): there is no copy of earlier content any more\n")
    #expect(
      try outcome(run(destination, "--discard-previous", "--json").capture) == "discarded-previous")
  }

  @Test func `a rollback without the database says where the content lies`() throws {
    #expect(run(seed, destination).code == .success)
    try renewSeed()
    #expect(run(seed, destination, "--policy", "replace").code == .success)
    try FileManager.default.removeItem(atPath: destination)
    let (code, capture) = run(destination, "--rollback")
    #expect(code == .missingInput)
    #expect(capture.error.contains("app/.events.sqlite.previous\" (rollback)\nhint: "))
  }

  @Test func `the permissions are those that are asked for`() throws {
    #expect(run(seed, destination, "--mode", "640").code == .success)
    let mode = try FileManager.default.attributesOfItem(atPath: destination)[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test func `a database in a format of the future is told, and can be moved aside`() throws {
    #expect(run(seed, destination).code == .success)
    var bytes = try directory.bytes(of: "app/events.sqlite")
    bytes[47] = 9
    try directory.write(bytes, to: "app/events.sqlite")
    let (code, capture) = run(seed, destination)
    #expect(code == .badInput)
    #expect(
      capture.error == """
        \(destination): error: has file format 9, which this SQLite does not know (probe)
        hint: open it with a newer SQLite, or move it aside by installing with repair (--repair)

        """)
    #expect(try outcome(run(seed, destination, "--repair", "--json").capture) == "repaired")
  }

  @Test func `what is not there leaves nothing behind`() throws {
    #expect(run(directory.path("none"), destination).code == .missingInput)
    let (code, capture) = run(seed, destination, "--manifest", directory.path("none.json"))
    #expect(code == .missingInput)
    #expect(capture.error.contains("none.json: error: there is no such manifest"))
    #expect(!FileManager.default.fileExists(atPath: directory.path("app")))
  }

  @Test func `a seed is not its own destination`() throws {
    let (code, capture) = run(seed, seed)
    #expect(code == .usage)
    #expect(capture.error.contains("is the seed itself"))
  }

  @Test func `the result is there for programs, too`() throws {
    let (code, capture) = run(seed, destination, "--json")
    #expect(code == .success)
    let result = try JSONValue(parsing: Array(capture.output.utf8))
    #expect(result["path"] == .string(destination))
    #expect(result["outcome"] == "installed")
    #expect(result["published_by"] == "exclusiveRename")
    #expect(result["quarantined"] == [])
    #expect(result["locked"] == true)
    #expect(try outcome(run(seed, destination, "--json").capture) == "already-current")
  }

  @Test func `a packed seed is unpacked, and is the same seed`() throws {
    let (code, capture) = run(seed + ".gz", destination, "--json")
    #expect(code == .success)
    #expect(try JSONValue(parsing: Array(capture.output.utf8))["by"] == "decompressed")
    #expect(try rowCount() == 2)
    #expect(try outcome(run(seed, destination, "--json").capture) == "already-current")
  }

  @Test func `gunzip unpacks what the build has packed`() throws {
    let run = try CommandRun.run("/bin/sh", ["-c", "gzip -dc '\(seed).gz' | cmp - '\(seed)'"])
    #expect(run.status == 0, "\(run.errorText)")
  }

  @Test func `a newer seed is kept out, put in and taken out again as the options say`() throws {
    #expect(run(seed, destination).code == .success)
    try renewSeed()
    #expect(try outcome(run(seed, destination, "--json").capture) == "kept")
    #expect(try rowCount() == 2)
    func digest(_ path: String) throws -> String {
      let connection = try Connection(path: path, mode: .readOnly)
      return String(
        try connection.scalarText("SELECT content_sha256 FROM _seed")?.prefix(12) ?? "")
    }
    #expect(
      try run(seed, destination, "--verbose").capture.error
        == "\(destination): kept as Events; the seed is Events with other content, "
        + "SHA-256 \(digest(seed))… in place of \(digest(destination))…, "
        + "which --policy replace brings, merge and replace-if-pristine where what is there allows\n"
    )
    let replaced = run(seed, destination, "--policy", "replace-if-pristine", "--json")
    #expect(try outcome(replaced.capture) == "replaced")
    #expect(try rowCount() == 3)
    #expect(run(destination, "--rollback").code == .success)
    #expect(try rowCount() == 2)
    let nothing = run(destination, "--rollback")
    #expect(nothing.code == .cannotCreate)
    #expect(nothing.capture.error.contains("there is no earlier content to bring back (rollback)"))
    #expect(run(seed, destination, "--policy", "replace").code == .success)
    #expect(run(destination, "--discard-previous").code == .success)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("app")).sorted()
        == [".events.sqlite.install-lock", "events.sqlite"])
  }

  @Test func `an installed database still verifies`() throws {
    #expect(run(seed, destination, "--journal-mode", "delete").code == .success)
    #expect(CapturedConsole().run("verify", destination) == .success)
    #expect(CapturedConsole().run("diff", seed, destination) == .success)
  }

  @Test func `what an app does to its database is a note of verify and no fault`() throws {
    #expect(run(seed, destination).code == .success)
    let connection = try Connection(path: destination, mode: .readWrite)
    try connection.execute("DELETE FROM Event; PRAGMA journal_mode = WAL")
    try connection.close()
    let capture = CapturedConsole()
    #expect(capture.run("verify", destination) == .success)
    #expect(capture.output.contains("note: the database is in WAL mode"))
    #expect(capture.output.contains("note: the content was changed after the build"))
    let built = try Connection(path: seed, mode: .readWrite)
    try built.execute("DELETE FROM Event")
    try built.close()
    #expect(CapturedConsole().run("verify", seed) == .finding)
  }

  @Test func `a log that was moved aside is warned about`() throws {
    try directory.makeDirectory("app")
    try directory.write("old", to: "app/events.sqlite-wal")
    let (code, capture) = run(seed, destination)
    #expect(code == .success)
    #expect(capture.error.contains("warning: the log of an earlier database was moved aside"))
  }

  @Test func `each kind of failure has its exit code`() throws {
    #expect(run(directory.path("none"), destination).code == .missingInput)
    try directory.write("plain words", to: "words")
    let words = run(directory.path("words"), destination)
    #expect(words.code == .badInput)
    #expect(
      words.capture.error == """
        \(directory.path("words")): error: is not an SQLite database; it looks like plain text \
        (checkSource)
        hint: build the seed again and check how it gets into the app

        """)
    #expect(run(seed, directory.path("words")).code == .cannotCreate)
    #expect(run(seed, directory.path("words/x")).code == .cannotCreate)
    try directory.write("{}", to: "default.sqlite.manifest.json")
    #expect(run(seed, destination).code == .badInput)
  }

  @Test func `a digest that nobody gives is a usage error, and full needs none`() throws {
    let manifest = seed + ".manifest.json"
    try FileManager.default.removeItem(atPath: manifest)
    let (code, capture) = run(seed, destination, "--verify", "digest")
    #expect(code == .usage)
    #expect(
      capture.error == """
        \(seed): error: there is no digest to check it by: no manifest comes with it (checkSource)
        hint: give the manifest that "seed build --manifest" writes, or verify "full", which needs \
        none

        """)
    #expect(!FileManager.default.fileExists(atPath: destination))
    #expect(run(seed, destination, "--verify", "full").code == .success)
    // A packed seed has the digest in itself.
    let packed = directory.path("app/packed.sqlite")
    #expect(run(seed + ".gz", packed, "--verify", "digest").code == .success)
  }

  @Test func `a packed seed that is cut off is told from one of another size`() throws {
    try FileManager.default.removeItem(atPath: seed + ".manifest.json")
    let whole = try directory.bytes(of: "default.sqlite.gz")
    let size = try directory.bytes(of: "default.sqlite").count
    try directory.write(Array(whole.dropLast(whole.count / 4)), to: "default.sqlite.gz")
    let (code, capture) = run(seed + ".gz", destination)
    #expect(code == .badInput)
    #expect(capture.error.hasPrefix("\(seed).gz: error: the gzip data is cut off: "))
    #expect(capture.error.contains(" of \(size) bytes can be unpacked (checkSource)\n"))
    #expect(
      capture.error.hasSuffix(
        "hint: copy or download the packed seed again, as a whole, or build it again\n"))
  }

  @Test(arguments: [
    ["install"], ["install", "a"], ["install", "a", "b", "c"], ["install", "a", ""],
    ["install", "a", "b", "--policy", "merge!"], ["install", "a", "b", "--rollback"],
    ["install", "a", "b", "--lock-timeout", "soon"], ["install", "a", "--rollback", "--repair"],
    ["install", "a", "b", "--lock-timeout", "-1"], ["install", "a", "b", "--mode", "rw"],
    ["install", "a", "b", "--mode", "400"], ["install", "a", "b", "--mode", "7777"],
    ["install", "a", "b", "--taken-keys", "mine"], ["install", "a", "b", "--taken-keys", "app"],
  ])
  func `a wrong command line is a usage error`(arguments: [String]) {
    let capture = CapturedConsole()
    #expect(CommandLineTool.run(arguments, on: capture.console) == .usage)
    #expect(capture.error.hasPrefix("seed: error: "))
  }

  @Test func `what is unusable is moved aside when that is asked for`() throws {
    try directory.makeDirectory("app")
    try directory.write("junk", to: "app/events.sqlite")
    let refused = run(seed, destination)
    #expect(refused.code == .cannotCreate)
    #expect(refused.capture.error.contains("the database there cannot be used"))
    #expect(try outcome(run(seed, destination, "--repair", "--json").capture) == "repaired")
    #expect(try rowCount() == 2)
  }

  @Test func `a seed that is not there is looked for by its path, not in an app`() throws {
    let capture = run(directory.path("none"), destination).capture
    #expect(
      capture.error.hasSuffix(
        "hint: check the path; \"seed build\" makes a database to install\n"))
  }
}
