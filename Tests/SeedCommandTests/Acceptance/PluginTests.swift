import Foundation
import Testing

@testable import SeedCommand

/// A package that uses the build plugin, built as anyone would: with `swift build` alone.
///
/// It builds this package once more, as its dependency, which takes a minute or more on two cores.
/// `SEED_SKIP_PLUGIN=1` in the environment leaves it out, but not in continuous integration.
@Suite struct PluginTests {
  private static var isWanted: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["CI"] != nil || environment["SEED_SKIP_PLUGIN"] != "1"
  }

  /// A copy of the fixture that depends on this package where it lies.
  private struct Copy {
    let workspace: Workspace
    let package: URL

    init() throws {
      workspace = try Workspace()
      package = workspace.folder.appendingPathComponent("PluginFixture")
      try FileManager.default.copyItem(
        at: Project.root.appendingPathComponent("Tests/PluginFixture"), to: package)
      let manifest = package.appendingPathComponent("Package.swift")
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try text.replacing("\"../..\"", with: "\"\(Project.root.path)\"")
        .write(to: manifest, atomically: true, encoding: .utf8)
    }

    func file(_ name: String) -> URL {
      package.appendingPathComponent("Sources/Fixture").appendingPathComponent(name)
    }

    func change(_ name: String, _ text: String, to replacement: String) throws {
      let url = file(name)
      let content = try String(contentsOf: url, encoding: .utf8)
      #expect(content.contains(text))
      try content.replacing(text, with: replacement)
        .write(to: url, atomically: true, encoding: .utf8)
    }

    func swift(_ arguments: String...) async throws -> ProcessOutcome {
      try await ChildProcess.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        ["swift"] + arguments + ["--scratch-path", workspace.folder.path + "/build"], in: package)
    }

    /// Builds, and says whether the tool was run.
    func build() async throws -> Bool {
      let outcome = try await swift("build")
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(!outcome.errors.contains("warning: found"), "\(outcome.errors)")
      return outcome.output.contains("Building default.sqlite")
    }

    /// The database that the program finds in its bundle.
    private func database() async throws -> BuiltDatabase {
      let outcome = try await swift("run", "--skip-build", "-q")
      let path = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
      return BuiltDatabase(
        url: URL(fileURLWithPath: path), outcome: outcome, workspace: workspace)
    }

    /// The bytes of the database.
    func bytes() async throws -> Data { try await Data(contentsOf: database().url) }

    /// The days in the database.
    func days() async throws -> [String] {
      try await database().column("SELECT time_stamp FROM event ORDER BY id")
    }
  }

  @Test(.enabled(if: isWanted), .timeLimit(.minutes(30)))
  func `a database of the bundle is built when its sources change, and only then`() async throws {
    let copy = try Copy()
    let first = ["'2010-01-16'", "'2010-02-01'", "'2010-03-05'"]
    #expect(try await copy.build())
    #expect(try await copy.days() == first)

    // The package manager links a tool that was just built once more, and so runs it once more.
    let database = try await copy.bytes()
    _ = try await copy.build()
    #expect(try await copy.bytes() == database)
    #expect(try await !copy.build(), "nothing has changed")
    try copy.change("main.swift", "as an app would", to: "as any app would")
    #expect(try await !copy.build(), "only code has changed")

    try copy.change("Seeds/Events.xml", "</Events>", to: "<Event timeStamp='06.03.2010'/></Events>")
    #expect(try await copy.build())
    #expect(try await copy.days() == first + ["'2010-03-06'"])

    try copy.change("Seeds/Events.xml", "</Events>", to: "\n </Event>")
    let broken = try await copy.swift("build")
    #expect(broken.status != 0)
    let place = copy.file("Seeds/Events.xml").path + ":6:2: error:"
    #expect((broken.output + broken.errors).contains(place), "\(broken.output)\(broken.errors)")
    #expect(try await copy.days() == first + ["'2010-03-06'"])
  }
}
