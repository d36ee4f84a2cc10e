import Foundation
import Testing

/// Random documents become what an independent walk over them says.
///
/// The documents are the same in every run. More of them: `Tests/Checkers/random_documents.py`
/// and `random_projects.py`.
@Suite struct RandomDocumentTests {
  @Test func `small documents of every shape`() async throws {
    let check = try await Project.check(
      "random_documents.py", [Project.tool.path, "--count", "300"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "300 documents, 0 failed\n")
  }

  @Test func `long documents with something new late in them`() async throws {
    let check = try await Project.check(
      "random_documents.py", [Project.tool.path, "--count", "2", "--mebibytes", "0.8"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "2 documents, 0 failed\n")
  }

  @Test(arguments: ["json", "ndjson", "plist", "bplist"])
  func `small documents of objects`(format: String) async throws {
    let check = try await Project.check(
      "random_documents.py", [Project.tool.path, "--format", format, "--count", "100"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "100 documents, 0 failed\n")
  }

  @Test(arguments: ["mixed", "csv"])
  func `project files of documents that are not changed build the same`(format: String) async throws
  {
    let check = try await Project.check(
      "random_projects.py", [Project.tool.path, "--format", format, "--count", "60"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output == "60 sets, 0 failed\n")
  }
}
