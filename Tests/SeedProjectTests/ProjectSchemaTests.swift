import Foundation
import SeedModel
import TestSupport
import Testing

@testable import SeedProject

@Suite struct ProjectSchemaTests {
  private static let published = Fixture.root.appendingPathComponent("Seeds/seed.schema.json")

  private func schema() throws -> LocatedJSON {
    var parser = LocatedJSONParser(
      try SourceText(Array(ProjectSchema.text.utf8), file: "seed.schema.json"))
    return try parser.parse()
  }

  @Test func `the published file is the schema that the tool has`() throws {
    if ProcessInfo.processInfo.environment["SEED_UPDATE_GOLDEN"] == "1" {
      try ProjectSchema.text.write(to: Self.published, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.published, encoding: .utf8) == ProjectSchema.text)
  }

  @Test(arguments: ObjectKind.allCases)
  func `the schema knows the keys that the decoder knows, and explains them`(
    kind: ObjectKind
  ) throws {
    let definition = try #require(try schema()["$defs"]?[kind.rawValue])
    let properties = try #require(definition["properties"]).members
    #expect(properties.map(\.name.value) == kind.keys)
    #expect(definition["additionalProperties"]?.plain == false)
    #expect(definition["title"] != nil)
    for property in properties {
      guard case .string(let text)? = property.value["description"]?.value else {
        Issue.record("\(property.name.value) of \(kind.rawValue) is not explained")
        continue
      }
      #expect(!text.isEmpty)
    }
  }

  @Test func `the schema accepts each valid file and refuses each invalid one`() throws {
    let checker = Fixture.root.appendingPathComponent("Tests/Checkers/project_schema.py").path
    let run = try CommandRun.run(
      "/usr/bin/env",
      ["python3", "-B", checker, Self.published.path, Fixture.folder.path])
    #expect(run.status == 0, "\(run.text)\(run.errorText)")
  }
}
