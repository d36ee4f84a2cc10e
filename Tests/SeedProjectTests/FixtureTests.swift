import Foundation
import SeedModel
import SeedProject
import Testing

/// Compares what is said about wrong files with the text kept beside each.
///
/// After a wanted change, run the tests with `SEED_UPDATE_GOLDEN=1` in the environment: they then
/// write the texts anew. Review the difference before committing it.
@Suite struct FixtureTests {
  @Test(arguments: try Fixture.all(in: "valid"))
  func `a valid project is understood`(fixture: Fixture) throws {
    let project = try fixture.project()
    #expect(!project.sources.isEmpty)
  }

  @Test(arguments: try Fixture.all(in: "invalid") + Fixture.all(in: "rejected"))
  func `what is wrong with a project is said as its text says`(fixture: Fixture) throws {
    let errors = try #require(throws: ProjectErrors.self) { try fixture.project() }
    let text = errors.diagnostics.map(\.rendered).joined()
    if ProcessInfo.processInfo.environment["SEED_UPDATE_GOLDEN"] == "1" {
      try text.write(to: fixture.expectation, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: fixture.expectation, encoding: .utf8))
  }

  @Test(arguments: try Fixture.all(in: "invalid") + Fixture.all(in: "rejected"))
  func `messages and hints are of one style, each with its place`(fixture: Fixture) throws {
    let errors = try #require(throws: ProjectErrors.self) { try fixture.project() }
    #expect(!errors.errors.isEmpty && errors.errors.count <= ProjectErrors.limit)
    for diagnostic in errors.diagnostics {
      #expect(diagnostic.location?.file == "seed.json")
      for text in [diagnostic.message, diagnostic.hint].compactMap({ $0 }) {
        #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("\n"))
        #expect(text.first?.isUppercase == false)
      }
    }
  }

  @Test func `no text is kept of a fixture that is gone`() throws {
    for kind in ["valid", "invalid", "rejected"] {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: Fixture.folder.appendingPathComponent(kind).path)
      let fixtures = try Fixture.all(in: kind).map(\.testDescription)
      let texts = kind == "valid" ? [] : fixtures.map { "\($0).txt" }
      #expect(Set(names) == Set(fixtures.map { "\($0).json" } + texts))
    }
  }
}
