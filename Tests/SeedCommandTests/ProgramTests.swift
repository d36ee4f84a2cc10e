import Foundation
import TestSupport
import Testing

@testable import SeedCommand

/// Runs the built program, which lies beside the bundle of these tests.
@Suite struct ProgramTests {
  /// The path of `seed`.
  ///
  /// Not a dependency of this target: a test that links the program's objects would clash with
  /// a plugin that builds them as a tool.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("seed").path

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.program),
      "build the product seed first: \(Self.program)")
  }

  /// Runs a line of shell in the test's directory, with `seed` as the program.
  private func shell(
    _ line: String, environment: [String: String] = [:]
  ) throws -> CommandRun {
    try CommandRun.run(
      "/bin/sh", ["-c", "seed() { \"$SEED\" \"$@\"; }; \(line)"],
      environment: ["SEED": Self.program, "PATH": "/usr/bin:/bin"]
        .merging(environment) { $1 }, directory: directory.path)
  }

  @Test func `the program runs and its status is the exit code`() throws {
    let help = try shell("seed help")
    #expect(help.status == 0)
    #expect(help.text == HelpText.overview(of: CommandLineTool.specifications))
    #expect(try shell("seed inspect none").status == 66)
    #expect(try shell("seed --bogus").status == 64)
  }

  @Test func `a database that a program has open in WAL mode is not replaced`() throws {
    try directory.write("id,n\n1,a\n", to: "t.csv")
    try directory.write(
      """
      import os, sqlite3, subprocess, sys
      build = [os.environ["SEED"], "build", "t.csv", "-o", "live.sqlite"]
      assert subprocess.run(build).returncode == 0
      app = sqlite3.connect("live.sqlite")
      app.execute("PRAGMA journal_mode = WAL")
      app.execute("SELECT * FROM t").fetchall()
      # Only the lock tells that the database is open.
      assert os.path.getsize("live.sqlite-wal") == 0
      sys.exit(subprocess.run(build + ["--force"]).returncode)
      """, to: "app.py")
    let run = try shell("python3 app.py")
    #expect(run.status == 73)
    #expect(run.errorText.contains("live.sqlite: the database is open in another process ("))
  }

  @Test func `more sources than the shell's limit of open files are built`() throws {
    let run = try shell(
      """
      for i in $(seq 60); do echo "id,n\n$i,x" > f$i.csv; done
      ulimit -S -n 40; seed build f*.csv -o all.sqlite && seed inspect all.sqlite --json
      """)
    #expect(run.errorText == "")
    #expect(run.status == 0)
    #expect(run.text.contains("\"f60\""))
  }

  @Test func `a full disk behind the standard output is reported`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let run = try shell("seed help > /dev/full")
    #expect(run.status == 74)
    #expect(
      run.errorText
        == "seed: error: cannot write to the standard output: no space left on device\n")
  }

  @Test func `a closed standard output is reported and nothing else takes its number`() throws {
    let run = try shell("seed help >&-")
    #expect(run.status == 74)
    #expect(run.errorText.contains("cannot write to the standard output"))
    #expect(try shell("seed inspect none 2>&- >&- <&-").status == 66)
  }

  @Test func `a reader that went away ends the program without a word`() throws {
    // The program starts only once the reading end is closed.
    let run = try shell(
      "mkfifo go; { read line < go; seed help; echo $? > status; } | { exec <&-; echo > go; }")
    #expect(run.errorText.isEmpty)
    #expect(try directory.text(of: "status") == "74\n")
  }

  @Test func `no colours are written where there is no terminal`() throws {
    let run = try shell("seed xyz", environment: ["TERM": "xterm-256color"])
    #expect(!run.errorText.contains("\u{1B}"))
  }

  @Test func `a file that is both standard input and output is refused`() throws {
    try directory.write("<a/>", to: "a.xml")
    let run = try shell("seed build - -o a.xml < a.xml")
    #expect(run.status == 64)
    #expect(try directory.text(of: "a.xml") == "<a/>")
  }

  @Test func `without sources the project file of the folder is built, if there is one`() throws {
    let none = try shell("seed build")
    #expect(none.status == 64)
    #expect(none.errorText.contains("seed init"))
    try directory.write("<a><b c=\"1\"/></a>", to: "a.xml")
    try directory.write("{ \"sources\": [{ \"file\": \"a.xml\" }] }", to: "seed.json")
    let run = try shell("seed build")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try directory.names == ["a.xml", "default.sqlite", "seed.json"])
  }

  @Test func `paths in a first project file are seen from its folder`() throws {
    try directory.makeDirectory("data/in")
    try directory.makeDirectory("data/out")
    try directory.write("<a><b c=\"1\"/></a>", to: "data/in/a.xml")
    let run = try shell("cd data && seed init in/a.xml -o out/a.seed.json")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try directory.text(of: "data/out/a.seed.json").contains("\"file\": \"../in/a.xml\""))
    let build = try shell("seed build --config data/out/a.seed.json && ls data/out")
    #expect(build.text == "a.seed.json\ndefault.sqlite\nseed.schema.json\n")
  }

  @Test func `of a standard input that was read in part only the rest is built`() throws {
    // Recording the input makes the build read it twice.
    try directory.write("not XML\n<r><v n='1'/><v n='2'/></r>", to: "mixed")
    let run = try shell(
      "{ dd bs=1 count=8 of=/dev/null 2>&-; seed build - -o a.sqlite --if-changed; } < mixed")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try shell("seed inspect a.sqlite").text.contains("table v: 2 rows"))
  }
}
