import SeedModel
import SeedProject
import Testing

@Suite struct UnsupportedRulesTests {
  @Test func `tables of a HyperHive server keep their names`() throws {
    let project = try Fixture.named("valid/hyperhive").project()
    let errors = try #require(throws: ProjectErrors.self) { try UnsupportedRules.check(project) }
    #expect(errors.errors.map(\.description).joined().contains("\"records\""))
  }

  @Test(arguments: [
    "valid/minimal", "valid/database", "valid/columns", "valid/delimited", "valid/names",
    "valid/events",
  ])
  func `what is built passes`(name: String) throws {
    let project = try Fixture.named(name).project()
    #expect(throws: Never.self) { try UnsupportedRules.check(project) }
  }
}
