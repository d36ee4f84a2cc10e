import Foundation
import Testing

/// CSV and TSV files, each against what Python's csv module reads in it.
@Suite struct TableTests {
  /// Compares one table with its file; the arguments say how the file is laid out.
  private func expectSame(
    _ file: URL, _ database: BuiltDatabase, table: String, _ layout: [String] = []
  ) async throws {
    let check = try await Project.check(
      "tables.py", [file.path, database.url.path, table] + layout)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  private func build(
    _ arguments: [String], in workspace: Workspace, input: URL? = nil
  ) async throws -> BuiltDatabase {
    let output = workspace.folder.appendingPathComponent("output.sqlite")
    let outcome = try await workspace.seed(
      ["build"] + arguments + ["-o", output.path], input: input)
    guard outcome.status == 0 else { throw BuildFailure(outcome: outcome) }
    return BuiltDatabase(url: output, outcome: outcome, workspace: workspace)
  }

  @Test func `random texts are read as the csv module reads them, or refused`() async throws {
    let check = try await Project.check("random_tables.py", [Project.tool.path, "--count", "200"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "200 texts, 0 failed\n")
  }

  @Test func `the characters of Unicode, without a header and with semicolons`() async throws {
    let file = URL(fileURLWithPath: "/usr/share/unicode/UnicodeData.txt")
    try #require(
      FileManager.default.fileExists(atPath: file.path),
      "\(file.path) is missing: install the package unicode-data")
    let layout = ["--delimiter", ";", "--no-header"]
    let database = try await build([file.path] + layout, in: Workspace())
    try await expectSame(file, database, table: "UnicodeData", layout)
    #expect(
      try await database.rows("SELECT column2 FROM UnicodeData WHERE column1 = '0041'")
        == [["'LATIN CAPITAL LETTER A'"]])
  }

  @Test func `a table of the time zones is refused for its comments, and read without`()
    async throws
  {
    let file = URL(fileURLWithPath: "/usr/share/zoneinfo/iso3166.tab")
    try #require(
      FileManager.default.fileExists(atPath: file.path),
      "\(file.path) is missing: install the package tzdata")
    let workspace = try Workspace()
    let refused = try await workspace.seed(["build", file.path])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("grep -v '^#'"))
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let text = lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    let plain = try workspace.write(text.utf8, to: "countries.tab")
    let database = try await build([plain.path, "--no-header"], in: workspace)
    try await expectSame(
      plain, database, table: "countries", ["--delimiter", "tab", "--no-header"])
  }

  /// A feed after the reference of the General Transit Feed Specification.
  private static let feed = [
    "agency.txt": """
    agency_id,agency_name,agency_url,agency_timezone,agency_lang
    FX,"Funicular ""Express"", Ltd.",https://example.com/?a=1&b=2,Europe/Zurich,de
    """,
    "stops.txt": """
    stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
    S1,Zürich HB,47.378177,8.540192,1,
    S2,"Gleis 3, Halle",47.378200,8.540100,0,S1
    007,Bern,46.948832,7.439131,,
    """,
    "routes.txt": """
    route_id,agency_id,route_short_name,route_long_name,route_type,route_color
    R1,FX,1,"Zürich – Bern",2,00FF00
    R2,FX,,"Bern
    (night)",2,0000E1
    """,
    "calendar.txt": """
    service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
    WEEK,1,1,1,1,1,0,0,20240101,20241231
    """,
    "trips.txt": """
    route_id,service_id,trip_id,trip_headsign
    R1,WEEK,T1,Bern
    R2,WEEK,T2,
    """,
    "stop_times.txt": """
    trip_id,arrival_time,departure_time,stop_id,stop_sequence
    T1,08:00:00,08:01:00,S2,1
    T1,09:02:00,09:02:00,007,2
    T2,23:50:00,25:10:00,007,1
    """,
  ]

  @Test(arguments: ["\n", "\r\n"])
  func `a transit feed becomes a table a file`(lineEnd: String) async throws {
    let workspace = try Workspace()
    var files: [URL] = []
    for (name, text) in Self.feed.sorted(by: { $0.key < $1.key }) {
      // Feeds often begin with a byte order mark.
      let content = "\u{FEFF}" + text.replacing("\n", with: lineEnd) + lineEnd
      files.append(try workspace.write(content.utf8, to: name))
    }
    let database = try await build(files.map(\.path), in: workspace)
    for file in files {
      try await expectSame(
        file, database, table: file.deletingPathExtension().lastPathComponent)
    }
    #expect(
      try await database.rows("SELECT stop_id, parent_station FROM stops WHERE stop_name = 'Bern'")
        == [["'007'", "''"]])
  }

  @Test func `standard input is read as CSV, into the table named`() async throws {
    let workspace = try Workspace()
    let file = try workspace.write("a;b\n1;x\n".utf8, to: "input")
    let database = try await build(["-", "--table", "things"], in: workspace, input: file)
    #expect(try await database.rows("SELECT * FROM things") == [["1", "1", "'x'"]])
  }

  @Test func `a file in another encoding is refused until the encoding is named`() async throws {
    let workspace = try Workspace()
    let latin = Array("gr".utf8) + [0xF6, 0xDF] + Array("e,b\n".utf8) + [0xE9] + Array(",2\n".utf8)
    let file = try workspace.write(latin, to: "latin.csv")
    let refused = try await workspace.seed(["build", file.path])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("latin.csv:1:3: error: the byte 0xF6 is not valid UTF-8"))
    let database = try await build([file.path, "--encoding", "ISO-8859-1"], in: workspace)
    try await expectSame(file, database, table: "latin", ["--encoding", "iso-8859-1"])
  }

  @Test func `several errors are shown, and the output is not touched`() async throws {
    let workspace = try Workspace()
    try workspace.write("a,b\n1\n2,3\n4,5,6\n".utf8, to: "wrong.csv")
    let outcome = try await workspace.seed(["build", "wrong.csv"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("wrong.csv:2:2: error: the record of line 2 has 1 field"))
    #expect(outcome.errors.contains("wrong.csv:4:5: error: the record of line 4 has 3 fields"))
    let left = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
    #expect(left == ["wrong.csv"])
  }

  @Test func `a table without records has its columns`() async throws {
    let workspace = try Workspace()
    let file = try workspace.write("id,name\n".utf8, to: "empty.csv")
    let database = try await build([file.path], in: workspace)
    try await expectSame(file, database, table: "empty")
    #expect(
      try await database.definition(of: "empty")
        == "CREATE TABLE empty (\n  _id INTEGER PRIMARY KEY,\n  id TEXT,\n  name TEXT\n)")
  }

  @Test func `a delimiter that may be another one is noted`() async throws {
    let workspace = try Workspace()
    let file = try workspace.write("a;b,c;d\n1;2;3\n".utf8, to: "doubt.csv")
    let database = try await build([file.path], in: workspace)
    #expect(
      database.outcome.errors.contains("doubt.csv:1: note: the delimiter is taken to be \";\""))
  }

  @Test func `what a MariaDB server dumps is in the database value by value`() async throws {
    let check = try await Project.check("mariadb.py", [Project.tool.path])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }
}
