import Testing

@Suite struct CheckerTests {
  @Test func `the checkers pass right databases and tools, and fail wrong ones`() async throws {
    let tests = try await Project.check("test_checkers.py", [])
    #expect(tests.status == 0, "\(tests.errors)")
  }
}
