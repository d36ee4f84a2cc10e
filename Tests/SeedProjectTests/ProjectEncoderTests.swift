import SeedModel
import SeedProject
import Testing

@Suite struct ProjectEncoderTests {
  private func decode(_ text: String) throws -> Project {
    try ProjectFile.decode(Array(text.utf8), path: "seed.json")
  }

  @Test(arguments: try Fixture.all(in: "valid"))
  func `a project that was written is read as the same`(fixture: Fixture) throws {
    let project = try fixture.project()
    let text = ProjectEncoder.text(of: project)
    let again = try decode(text)
    #expect(ProjectEncoder.text(of: again) == text)
    #expect(unplaced(again) == unplaced(project))
  }

  @Test func `what fits stands on one line`() throws {
    let project = try Fixture.named("valid/columns").project()
    let text = ProjectEncoder.text(of: project, schemaPath: "seed.schema.json")
    #expect(
      text.hasPrefix(
        """
        {
          "$schema": "seed.schema.json",
          "sources": [
            {
              "file": "items.json",
              "records": {
                "items": {
                  "table": "item",
                  "only": true,
                  "columns": {
                    "bare": { "from": "@name" },
                    "nested": { "from": "price/amount" },

        """))
    #expect(text.hasSuffix("}\n"))
    for line in text.split(separator: "\n") { #expect(line.count <= 100) }
  }

  /// The project in words, without its places.
  private func unplaced(_ project: Project) -> [String] {
    var text = ""
    dump(project, to: &text)
    let places = ["location", "seed.json:", "file: \"seed.json\"", "line: ", "column: "]
    return text.split(separator: "\n").map(String.init).filter { line in
      !places.contains { line.contains($0) }
    }
  }
}
