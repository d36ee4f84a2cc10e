import Foundation
import Testing

/// What a build holds does not grow with its input.
@Suite struct MemoryTests {
  @Test func `records near the bound, one after the other, take the memory of a few`() async throws
  {
    let check = try await Project.check("memory.py", [Project.tool.path])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }
}
