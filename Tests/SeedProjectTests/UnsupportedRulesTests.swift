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
    #expect(texts.contains("\"streams\""))
  }

  @Test func `tables of a HyperHive server keep their names`() throws {
    let project = try Fixture.named("valid/hyperhive").project()
    let errors = try #require(throws: ProjectErrors.self) { try UnsupportedRules.check(project) }
    #expect(errors.errors.map(\.description).joined().contains("\"records\""))
  }

  @Test(arguments: ["valid/minimal", "valid/database", "valid/columns", "valid/delimited"])
  func `what is built passes`(name: String) throws {
    let project = try Fixture.named(name).project()
    #expect(throws: Never.self) { try UnsupportedRules.check(project) }
  }
}
