import Foundation
import Testing

/// Hostile and broken inputs, run by a checker that measures each run from outside.
@Suite struct HostileInputTests {
  /// Processor seconds that one run may take: a debug build runs byte loops many times slower.
  #if DEBUG
    static let seconds = "60"
  #else
    static let seconds = "10"
  #endif

  func check(_ group: String) async throws -> ProcessOutcome {
    try await Project.check(
      "hostile.py", [Project.tool.path, "--seconds", Self.seconds, "--group", group])
  }

  @Test func `a hostile or broken input is refused in bounded time and memory`() async throws {
    let outcome = try await check("cases")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `a document cut at any byte is refused at a place`() async throws {
    let outcome = try await check("cuts")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `a document makes the tool open no other file and no socket`() async throws {
    let outcome = try await check("files")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}
