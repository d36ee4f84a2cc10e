import Foundation

/// The places of the project that the acceptance tests use.
enum Project {
  /// The package's own folder.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let seeds = root.appendingPathComponent("Seeds")
  static let checkers = root.appendingPathComponent("Tests/Checkers")

  /// The tool under test, which the package manager builds beside the test bundle.
  static let tool = Bundle.main.bundleURL.appendingPathComponent("seed")

  /// Runs one of the Python checkers.
  static func check(_ script: String, _ arguments: [String]) async throws -> ProcessOutcome {
    try await ChildProcess.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", "-B", checkers.appendingPathComponent(script).path] + arguments, in: root)
  }
}
