import Foundation
import TestSupport

/// Documents that the checkers' generator makes: the same ones on every machine.
enum RandomDocuments {
  /// The documents of some numbers.
  static func texts(first: Int, count: Int) throws -> [[UInt8]] {
    let directory = try TemporaryDirectory()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Checkers/random_documents.py").path
    let run = try CommandRun.run(
      "/usr/bin/env",
      [
        "python3", "-B", script, "--write", directory.path, "--first", "\(first)",
        "--count", "\(count)",
      ])
    guard run.status == 0 else { throw GeneratorError(message: run.errorText) }
    return try (first..<first + count).map { try directory.bytes(of: "\($0).xml") }
  }
}

/// The generator failed.
struct GeneratorError: Error {
  var message: String
}
