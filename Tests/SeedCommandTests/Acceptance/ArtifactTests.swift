import Foundation
import Testing

/// The script that makes and checks a database on a CI machine, and the workflow that runs it.
@Suite struct ArtifactTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write(
      try Data(contentsOf: Project.seeds.appendingPathComponent("events/Events.xml")),
      to: "Events.xml")
  }

  private func script(_ arguments: [String]) async throws -> ProcessOutcome {
    try await ChildProcess.run(
      Project.root.appendingPathComponent("Scripts/ci-artifact"),
      ["--seed", Project.tool.path] + arguments, in: workspace.folder)
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: workspace.folder.appendingPathComponent(name))
  }

  private func change(_ text: String, to other: String) throws {
    let source = String(decoding: try bytes("Events.xml"), as: UTF8.self)
    try workspace.write(source.replacing(text, with: other).utf8, to: "Events.xml")
  }

  @Test func `an artifact that is checked is fine until a value changes, which is named`()
    async throws
  {
    let made = try await script(["-o", "events.sqlite", "Events.xml"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.hasPrefix("events.sqlite: 3 rows in 1 table"))
    let check = ["--check", "-o", "events.sqlite", "Events.xml"]
    let fine = try await script(check)
    #expect(fine.status == 0)
    #expect(fine.output.isEmpty)
    #expect(fine.errors.isEmpty)
    let before = try (bytes("events.sqlite"), bytes("events.sqlite.manifest.json"))
    try change("05.03.2010", to: "06.03.2010")
    let stale = try await script(check)
    #expect(stale.status == 1)
    #expect(
      stale.output == """
        events.sqlite: error: the content is not what the sources give
        rows of Event: 1 changed
            ~ id 3: timeStamp '2010-03-05' -> '2010-03-06'
        hint: run the same command without --check

        """)
    #expect(try (bytes("events.sqlite"), bytes("events.sqlite.manifest.json")) == before)
  }

  @Test func `a missing artifact fails the check`() async throws {
    let missing = try await script(["--check", "Events.xml"])
    #expect(missing.status == 1)
    #expect(missing.output.hasPrefix("default.sqlite: error: there is no database yet\n"))
  }

  @Test func `the artifact is kept while nothing changes and compared with the released one`()
    async throws
  {
    _ = try await script(["Events.xml"])
    try workspace.write(try bytes("default.sqlite"), to: "released.sqlite")
    let kept = try await script(["Events.xml"])
    #expect(kept.status == 0)
    #expect(kept.errors == "default.sqlite: is up to date\n")
    try change("<Event timeStamp=\"05.03.2010\" />", to: "")
    let changed = try await script(["--released", "released.sqlite", "Events.xml"])
    #expect(changed.status == 0, "\(changed.errors)")
    #expect(
      changed.output
        == "rows of Event: 1 removed\n    - id 3: timeStamp '2010-03-05'\n")
    let first = try await script(["--released", "none.sqlite", "Events.xml"])
    #expect(first.status == 0, "\(first.errors)")
  }

  @Test func `options go to the build and mistakes are usage errors`() async throws {
    let small = try await script(["Events.xml", "--", "--page-size", "512"])
    #expect(small.status == 0, "\(small.errors)")
    #expect(try bytes("default.sqlite")[16...17] == Data([2, 0]))
    let stale = try await script(["--check", "Events.xml"])
    #expect(stale.status == 1)
    #expect(stale.output.contains("the page size is 512, not 4096"))
    for arguments in [[], ["--chekc", "Events.xml"], ["Events.xml", "-o"]] {
      #expect(try await script(arguments).status == 64)
    }
  }

  @Test func `the workflow runs the script and needs two actions of the platform's own`() throws {
    let workflow = try String(
      contentsOf: Project.root.appendingPathComponent(".github/workflows/seed.yml"),
      encoding: .utf8)
    let actions = workflow.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^ *- uses: ([^@]+)@v\d+$/).map { String($0.output.1) }
    }
    #expect(actions == ["actions/checkout", "actions/upload-artifact"])
    #expect(workflow.contains("\"$SEED\"/Scripts/ci-artifact -o \"$OUTPUT\""))
    #expect(!workflow.contains("\t"))
  }
}
