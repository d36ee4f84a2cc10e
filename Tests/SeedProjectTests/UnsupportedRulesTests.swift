import SeedModel
import SeedProject
import Testing

@Suite struct UnsupportedRulesTests {
  @Test func `what is not built yet is named with its place, all of it`() throws {
    let project = try Fixture.named("valid/events").project()
    let errors = try #require(throws: ProjectErrors.self) { try UnsupportedRules.check(project) }
    let lines = errors.errors.map(\.location.line)
    #expect(lines.allSatisfy { $0 > 0 })
    let texts = errors.errors.map(\.description).joined(separator: "\n")
    for key in ["hyperhive", "streams"] {
      #expect(texts.contains("\"\(key)\""), "\(key)")
    }
  }

  @Test(arguments: ["valid/minimal", "valid/database", "valid/columns", "valid/delimited"])
  func `what is built passes`(name: String) throws {
    let project = try Fixture.named(name).project()
    #expect(throws: Never.self) { try UnsupportedRules.check(project) }
  }
}
