import Foundation
import Testing

/// Kills a build around each of the two renames that publish a database and its manifest.
@Suite struct ManifestCrashTests {
  private static let strace = URL(fileURLWithPath: "/usr/bin/strace")

  /// Whether `strace` is here and may look at other processes.
  private static func canTrace() async throws -> Bool {
    guard FileManager.default.isExecutableFile(atPath: strace.path) else { return false }
    let folder = FileManager.default.temporaryDirectory
    let probe = try await ChildProcess.run(strace, ["-o", "/dev/null", "true"], in: folder)
    return probe.status == 0
  }

  private static func document(_ value: String) -> String { "<r><v id='1' n='\(value)'/></r>" }

  @Test(.enabled("needs strace") { try await canTrace() }, arguments: [1, 2])
  func `a crash at a rename is noticed and repaired`(number: Int) async throws {
    let workspace = try Workspace()
    try workspace.write(Self.document("a").utf8, to: "r.xml")
    let build = ["build", "r.xml", "-o", "out.sqlite", "--manifest"]
    try #require(try await workspace.seed(build).status == 0)
    try workspace.write(Self.document("b").utf8, to: "r.xml")
    let killed = try await ChildProcess.run(
      Self.strace,
      [
        "-f", "-o", "/dev/null", "-e", "trace=/^rename", "-e",
        "inject=/^rename:signal=KILL:when=\(number)", Project.tool.path,
      ] + build, in: workspace.folder)
    #expect(killed.status != 0)
    // Before the first rename all is as it was; before the second one the database is new.
    let check = try await workspace.seed(build + ["--check"])
    #expect(check.status == 1)
    #expect(check.output.contains(number == 1 ? "the content is not" : "the manifest is another"))
    #expect(try await workspace.seed(build + ["--if-changed"]).status == 0)
    #expect(try await workspace.seed(build + ["--check"]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
    #expect(names.sorted() == ["out.sqlite", "out.sqlite.manifest.json", "r.xml"])
  }
}
