import Foundation

/// What a finished child process left: its status and everything that it printed.
struct ProcessOutcome: Sendable {
  /// The exit status; the negative signal number when a signal ended the process.
  var status: Int32
  var output: String
  var errors: String
}

/// Runs programs for the tests.
///
/// Output goes to files, not to pipes: a pipe that nobody drains blocks the child, and its end can
/// leak into another child that is started at the same moment.
enum ChildProcess {
  /// Runs `executable` to its end.
  ///
  /// The variables of `environment` replace or join those of the test process; `input` is a file
  /// to give as standard input, where nothing is readable otherwise.
  static func run(
    _ executable: URL, _ arguments: [String], in folder: URL,
    environment: [String: String] = [:], input: URL? = nil
  ) async throws -> ProcessOutcome {
    let printed = FileManager.default.temporaryDirectory
      .appendingPathComponent("seed-process-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: printed, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: printed) }
    let outputFile = printed.appendingPathComponent("output")
    let errorFile = printed.appendingPathComponent("errors")
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput =
      try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    process.standardOutput = try newFile(outputFile)
    process.standardError = try newFile(errorFile)
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { ended in
        let isExit = ended.terminationReason == .exit
        continuation.resume(returning: isExit ? ended.terminationStatus : -ended.terminationStatus)
      }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    return ProcessOutcome(
      status: status,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }

  private static func newFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }
}
