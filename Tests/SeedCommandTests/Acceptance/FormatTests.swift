import Foundation
import Testing

/// One row model and one set of type rules for all formats.
@Suite struct FormatTests {
  @Test func `the same events give the same content from every format`() async throws {
    let check = try await Project.check("formats.py", [Project.tool.path])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }
}
