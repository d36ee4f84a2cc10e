import SeedBuilder
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand

@Suite struct CommandLineToolTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A stamped database of one row.
  private func database(_ sql: String = "") throws -> String {
    let path = directory.path("a.sqlite")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(
      "CREATE TABLE a(id INTEGER PRIMARY KEY, b TEXT NOT NULL); INSERT INTO a VALUES (1, 'x');"
        + sql)
    let digest = try ContentDigest.compute(connection)
    try SeedStamp(name: "a", contentSHA256: digest, tool: "seed test").write(to: connection)
    try connection.close()
    return path
  }

  @Test(arguments: [
    ["inspect", "A"], ["verify", "A"], ["build", "A", "A"], ["build", "--config", "A"],
    ["build", "a.json", "-o", "A"], ["schema", "--model", "A", "a.json"], ["diff", "A", "A"],
    ["init", "A"], ["inspect", "https:/alice:5ecret@h"], ["build", "a.json", "--schema", "A"],
  ])
  func `no command tells the password of an address`(arguments: [String]) throws {
    let data = try directory.write("[{\"a\": 1}]", to: "a.json")
    let capture = CapturedConsole()
    let code = CommandLineTool.run(
      arguments.map {
        $0 == "a.json" ? data : $0.replacing("A", with: "http://alice:5ecret@127.0.0.1:1/a")
      }, on: capture.console)
    #expect(code != .success)
    #expect(!capture.error.isEmpty)
    #expect(!(capture.error + capture.output).contains("5ecret"))
  }

  @Test func `without arguments the overview goes to the standard error`() {
    let capture = CapturedConsole()
    #expect(capture.run() == .usage)
    #expect(capture.output.isEmpty)
    #expect(capture.error == HelpText.overview(of: CommandLineTool.specifications))
  }

  @Test(arguments: ["help", "--help", "-h"])
  func `the overview is a result when it is asked for`(argument: String) {
    let capture = CapturedConsole()
    #expect(capture.run(argument) == .success)
    #expect(capture.output == HelpText.overview(of: CommandLineTool.specifications))
    #expect(capture.error.isEmpty)
  }

  @Test func `a file that is no database is called the same by all commands`() throws {
    let path = try directory.write("plain words", to: "text.sqlite")
    let (inspect, verify) = (CapturedConsole(), CapturedConsole())
    #expect(inspect.run("inspect", path) == .badInput)
    #expect(verify.run("verify", path) == .finding)
    #expect(inspect.error == verify.output)
  }

  @Test(arguments: [["--delimiter", ";"], ["--quote", "'"], ["--no-header"]])
  func `an option about CSV is warned about where no source is CSV`(options: [String]) throws {
    let path = try directory.write("<a><b c='1'/></a>", to: "a.xml")
    let capture = CapturedConsole()
    #expect(CommandLineTool.run(["schema", path] + options, on: capture.console) == .success)
    #expect(
      capture.error == """
        seed: warning: option "\(options[0])" is about CSV and TSV, and no source is such a file
        hint: leave it out, or say --format csv

        """)
    let beside = try directory.write("x;y\n1;2\n", to: "b.csv")
    let other = CapturedConsole()
    #expect(CommandLineTool.run(["schema", path, beside] + options, on: other.console) == .success)
    #expect(other.error.isEmpty)
  }

  @Test func `the version names the libraries`() throws {
    let capture = CapturedConsole()
    #expect(capture.run("--version") == .success)
    let pattern = /seed \d+\.\d+\.\d+ \(SQLite \d+\.\d+\.\d+, libxml2 \d+\.\d+\.\d+\)\n/
    #expect(try pattern.wholeMatch(in: capture.output) != nil)
  }

  private static let mistakes: [(arguments: [String], error: String, hint: String)] = [
    (["biuld"], "unknown command \"biuld\"", "did you mean \"build\"?"),
    (["help", "inspct"], "unknown command \"inspct\"", "did you mean \"inspect\"?"),
    (["version"], "unknown command \"version\"", "did you mean \"--version\"?"),
    (["-v"], "unknown option \"-v\"", "did you mean \"--version\"?"),
    (["diff"], "no old database given", "give the old database and the new one"),
    (["diff", "a"], "no new database given", "give the old database and the new one"),
    (
      ["install"], "no seed given",
      "give a database made by \"seed build\", and where it goes"
    ),
    (
      ["build", "a.xml", "-o", "app.sqlite.gz"],
      "output \"app.sqlite.gz\" is a packed file by its name, and would be a plain database",
      "write to \"app.sqlite\" and add --compress, which packs it beside that"
    ),
    (["xyz"], "unknown command \"xyz\"", "run \"seed help\" to see the commands"),
    (["--versoin"], "unknown option \"--versoin\"", "did you mean \"--version\"?"),
    (["--quiet", "build"], "unknown option \"--quiet\"", "give the command before its options"),
    (
      ["build"], "no source given",
      "name files, as in \"seed build Events.xml\", or describe the build in a seed.json, which "
        + "\"seed init Events.xml\" begins"
    ),
    (
      ["schema"], "no source given",
      "name files, as in \"seed schema Events.xml\", or describe the build in a seed.json, which "
        + "\"seed init Events.xml\" begins"
    ),
    (
      ["build", "a.xml", "--config", "b.json"],
      "sources are given, but the project file \"b.json\" names its own",
      "add them to b.json, or leave --config out"
    ),
    (
      ["schema", "--config", "b.json", "--format", "xml"],
      "option \"--format\" is about sources that are given here, not those of a project file",
      "write \"format\" beside the source in b.json"
    ),
    (
      ["build", "--config", "b.json", "--no-header"],
      "option \"--no-header\" is about sources that are given here, not those of a project file",
      "write \"columns\" beside the source in b.json"
    ),
    (
      ["build", "--config", ""], "the path of the project file is empty",
      "give the path of a file"
    ),
    (
      ["build", "a.xml", "-o", "-"], "a database cannot be written to the standard output",
      "give the path of a file; \"./-\" is a file of that name"
    ),
    (["build", "a.xml", "-o", ""], "the path of the output is empty", "give the path of a file"),
    (["build", "-", "-"], "the standard input \"-\" is given more than once", "give \"-\" once"),
    (
      ["build", "a.xml", "--page-size", "1000"],
      "\"1000\" is not a value of option \"--page-size\"",
      "use 512, 1024, 2048, 4096, 8192, 16384, 32768 or 65536"
    ),
    (
      ["build", "a.xml", "--frobnicate"], "unknown option \"--frobnicate\"",
      "run \"seed help build\" to see what it takes"
    ),
    (
      ["build", "a.xml", "--quiet", "--verbose"],
      "options \"--quiet\" and \"--verbose\" contradict each other",
      "run \"seed help build\" to see what it takes"
    ),
    (
      ["build", "a.csv", "--delimiter", "ab"], "\"ab\" is not a value of option \"--delimiter\"",
      "give one ASCII character, or tab"
    ),
    (
      ["build", "a.csv", "--delimiter", "é"], "\"é\" is not a value of option \"--delimiter\"",
      "give one ASCII character, or tab"
    ),
    (
      ["schema", "a.csv", "--quote", ""], "\"\" is not a value of option \"--quote\"",
      "give one ASCII character, or none"
    ),
    (
      ["build", "a.csv", "--delimiter", "'", "--quote", "'"],
      "\"'\" is not a value of option \"--delimiter\"",
      "it is the quote too; name another one with --quote, or none"
    ),
    (
      ["build", "ftp://example.com/y"],
      "addresses that begin with \"ftp:\" cannot be fetched, only \"https:\" and \"http:\" ones",
      "fetch it by other means, and give the path of the file"
    ),
    (
      ["schema", "htps://example.com/y"],
      "addresses that begin with \"htps:\" cannot be fetched, only \"https:\" and \"http:\" ones",
      "did you mean \"https://\"?"
    ),
    (
      ["build", "a.xml", "--header", "A: b"],
      "option \"--header\" is about sources at addresses, of which there are none",
      "leave it out, or name an https:// address"
    ),
    (
      ["build", "a.xml", "-o", "a", "-o", "b"], "option \"--output\" is given more than once",
      "give it once"
    ),
    (["build", "--version"], "unknown option \"--version\"", "run \"seed --version\""),
    (["inspect"], "no database given", "give the path of a database file"),
    (
      ["inspect", "a", "--json", "--html", "b"],
      "options \"--json\" and \"--html\" contradict each other",
      "run \"seed help inspect\" to see what it takes"
    ),
    (["inspect", "a", "--html="], "the path of the page is empty", "give the path of a file"),
    (["verify", ""], "the path of the database is empty", "give the path of a database file"),
    (
      ["inspect", "a", "b\u{1B}"], "unexpected argument \"b\\u{1b}\"",
      "run \"seed help inspect\" to see what it takes"
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `a wrong command line is explained`(index: Int) {
    let (arguments, error, hint) = Self.mistakes[index]
    let capture = CapturedConsole()
    #expect(CommandLineTool.run(arguments, on: capture.console) == .usage)
    #expect(capture.error == "seed: error: \(error)\nhint: \(hint)\n")
    #expect(capture.output.isEmpty)
  }

  @Test func `an output that is a source under another name is refused and left alone`() throws {
    let source = try directory.write("<a/>", to: "a.xml")
    let link = try directory.link("b.sqlite", to: "a.xml")
    for output in [source, link, directory.path + "/./a.xml"] {
      let capture = CapturedConsole()
      #expect(capture.run("build", source, "-o", output) == .usage)
      #expect(capture.error.contains("is the same file as a source"))
    }
    #expect(try directory.text(of: "a.xml") == "<a/>")
    #expect(try directory.names == ["a.xml", "b.sqlite"])
  }

  @Test func `inspect prints a report in columns`() throws {
    let path = try database("CREATE INDEX i ON a(b); CREATE VIEW v AS SELECT 1;")
    let capture = CapturedConsole()
    #expect(capture.run("inspect", path) == .success)
    #expect(capture.error.isEmpty)
    #expect(
      capture.output.hasPrefix(
        """
        \(path)
          size            16 KB, 4 pages of 4096 bytes
          encoding        UTF-8
          user_version    0
          application_id  0
          stamp           a, built by seed test
          stamped digest  
        """))
    #expect(
      capture.output.contains(
        """

        table a: 1 row, 4 KB
          id  INTEGER  primary key
          b   TEXT     not null
          index i (b), 4 KB

        """))
    #expect(capture.output.hasSuffix("\nview v\n"))
  }

  @Test func `inspect prints everything as JSON`() throws {
    let capture = CapturedConsole()
    let path = try database()
    #expect(capture.run("inspect", path, "--json") == .success)
    #expect(capture.output == (try Inspection.report(onDatabaseAt: path)).json.text)
    #expect(capture.output.contains("\"declared\"") == false)
    #expect(capture.output.contains("\"rows\": 1"))
  }

  @Test func `inspect writes a page and prints nothing`() throws {
    let path = try database()
    let page = directory.path("a.html")
    for _ in 0..<2 {
      let capture = CapturedConsole()
      #expect(capture.run("inspect", path, "--html", page) == .success)
      #expect(capture.output.isEmpty)
      #expect(capture.error.isEmpty)
    }
    #expect(try directory.names == ["a.html", "a.sqlite"])
    let printed = CapturedConsole()
    #expect(printed.run("inspect", path, "--html", "-") == .success)
    #expect(try printed.output == directory.text(of: "a.html"))
    #expect(printed.output.hasPrefix("<!DOCTYPE html>\n"))
  }

  @Test func `inspect says on a terminal that there is a page`() throws {
    let path = try database()
    let capture = CapturedConsole(isTerminal: true)
    #expect(capture.run("inspect", path, "--html", directory.path("a.html")) == .success)
    #expect(capture.output.isEmpty)
    #expect(capture.error == "\(directory.path("a.html")): a page about 1 table\n")
  }

  @Test func `a page replaces no other file, least of all the database`() throws {
    let path = try database()
    let bytes = try directory.bytes(of: "a.sqlite")
    let capture = CapturedConsole()
    #expect(capture.run("inspect", path, "--html", path) == .cannotCreate)
    #expect(capture.error.contains("exists and is not an HTML page"))
    #expect(try directory.bytes(of: "a.sqlite") == bytes)
    #expect(try directory.names == ["a.sqlite"])
  }

  @Test func `a page of a missing database leaves the old page`() throws {
    let page = try directory.write("<!DOCTYPE html>old", to: "a.html")
    let capture = CapturedConsole()
    #expect(capture.run("inspect", directory.path("none"), "--html", page) == .missingInput)
    #expect(try directory.text(of: "a.html") == "<!DOCTYPE html>old")
  }

  @Test func `a hostile name in a database is escaped`() throws {
    let path = try database("CREATE TABLE \"x\u{1B}[2J\ny\"(\"c\u{7}\");")
    let capture = CapturedConsole()
    #expect(capture.run("inspect", path) == .success)
    #expect(!capture.output.contains("\u{1B}"))
    #expect(!capture.output.contains("\u{7}"))
    #expect(capture.output.contains("table x\\u{1b}[2J\\ny: 0 rows"))
  }

  @Test func `a missing file and a file that is no database have their exit codes`() throws {
    let missing = CapturedConsole()
    #expect(missing.run("inspect", directory.path("none")) == .missingInput)
    #expect(missing.error.hasPrefix("\(directory.path("none")): error: no such file\n"))
    let other = CapturedConsole()
    #expect(other.run("inspect", try directory.write("<a/>", to: "a.xml")) == .badInput)
    #expect(other.error.contains("looks like XML"))
    #expect(other.output.isEmpty)
  }

  @Test func `verify is silent on success, and says ok on a terminal or when asked`() throws {
    let path = try database()
    let capture = CapturedConsole()
    #expect(capture.run("verify", path) == .success)
    #expect(capture.output.isEmpty)
    #expect(capture.error.isEmpty)
    let verbose = CapturedConsole()
    #expect(verbose.run("verify", path, "--verbose") == .success)
    #expect(verbose.output == "\(path): ok\n")
    let terminal = CapturedConsole(isTerminal: true)
    #expect(terminal.run("verify", path) == .success)
    #expect(terminal.output == "\(path): ok\n")
  }

  @Test func `verify prints its findings as the result and exits with 1`() throws {
    let path = try database()
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DROP TABLE _seed")
    try connection.close()
    let capture = CapturedConsole()
    #expect(capture.run("verify", path) == .finding)
    #expect(
      capture.output == """
        \(path): error: the database has no stamp
        hint: build the database with "seed build"

        """)
    #expect(capture.error.isEmpty)
    let json = CapturedConsole()
    #expect(json.run("verify", path, "--json") == .finding)
    #expect(json.output.contains("\"ok\": false"))
    #expect(json.output.contains("\"code\": \"stamp-missing\""))
  }

  @Test func `a build's summary reads as documented`() {
    let summary = BuildSummary(
      output: "default.sqlite", tableCount: 1, rowCount: 3, byteCount: 12288)
    #expect(
      BuildReport.text(of: summary, seconds: 0.0123)
        == "default.sqlite: 3 rows in 1 table, 12 KB, 0.01 s")
    #expect(
      BuildReport.json(of: summary, seconds: 0.01234) == [
        "output": "default.sqlite", "tables": 1, "rows": 3, "bytes": 12288,
        "seconds": .number(0.012),
      ])
  }
}
