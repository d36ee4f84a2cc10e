import Foundation
import Testing

/// One folder of `Seeds`: its inputs and the golden dump of what they become.
struct Sample: CustomTestStringConvertible {
  var folder: URL
  var inputs: [URL]
  /// The Core Data model whose store they become; nil for a database of their own tables.
  var model: URL?

  var testDescription: String { folder.lastPathComponent }

  /// Whether it is one XML document that is what its elements say.
  var isOrdinaryXML: Bool {
    inputs.count == 1 && inputs[0].pathExtension == "xml" && model == nil
      && !Sample.forms.contains(testDescription)
  }

  /// The samples of forms that say more than their elements do.
  private static let forms = ["android", "mysqldump"]

  static func all() throws -> [Sample] {
    let files = FileManager.default
    return try files.contentsOfDirectory(at: Project.seeds, includingPropertiesForKeys: nil)
      .filter { files.fileExists(atPath: $0.appendingPathComponent("expected.sql").path) }
      .sorted { $0.path < $1.path }
      .map { folder in
        let names = try files.contentsOfDirectory(atPath: folder.path).sorted()
        let isModel = { (name: String) in name.hasSuffix(".xcdatamodeld") }
        let inputs = names.filter { $0 != "expected.sql" && !$0.hasPrefix(".") && !isModel($0) }
        return Sample(
          folder: folder, inputs: inputs.map(folder.appendingPathComponent),
          model: names.first(where: isModel).map(folder.appendingPathComponent))
      }
  }
}

@Suite struct SampleTests {
  @Test func `there are at least ten samples, each with an input`() throws {
    let samples = try Sample.all()
    #expect(samples.count >= 10)
    #expect(samples.allSatisfy { !$0.inputs.isEmpty })
  }

  @Test(arguments: try Sample.all())
  func `a sample becomes its golden dump`(sample: Sample) async throws {
    let database = try await Workspace().build(sample.inputs, schema: sample.model)
    #expect(database.outcome.output.isEmpty)
    let golden = sample.folder.appendingPathComponent("expected.sql").path
    let difference = try await Project.check("dump.py", [database.url.path, golden])
    #expect(difference.status == 0, "\(difference.output)\(difference.errors)")
  }

  @Test(arguments: try Sample.all().filter(\.isOrdinaryXML))
  func `a sample is in the database value by value`(sample: Sample) async throws {
    let database = try await Workspace().build(sample.inputs)
    let walk = try await Project.check("walk.py", [sample.inputs[0].path, database.url.path])
    #expect(walk.status == 0, "\(walk.output)\(walk.errors)")
  }
}
