import Foundation

/// A finished child process: how it ended and everything it wrote.
package struct CommandRun: Sendable {
  /// The exit status, or the signal's number if a signal ended it.
  package var status: Int32
  /// Whether a signal ended it.
  package var isSignalled: Bool
  package var output: [UInt8]
  package var errorOutput: [UInt8]

  /// Standard output as text.
  package var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

  /// Runs a program to its end.
  ///
  /// Both outputs are read while the program runs: a full pipe would block it for ever.
  /// - Parameters:
  ///   - executable: The program's path.
  ///   - arguments: What follows the program's name.
  ///   - input: The bytes of standard input; without any it is at its end at once.
  ///   - environment: The whole environment; the test's own if nil.
  ///   - directory: The working directory; the test's own if nil.
  /// - Returns: What the program left.
  /// - Throws: An error when the program cannot be started.
  package static func run(
    _ executable: String, _ arguments: [String] = [], input: [UInt8] = [],
    environment: [String: String]? = nil, directory: String? = nil
  ) throws -> CommandRun {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    if let environment { process.environment = environment }
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }

    // Input comes from a file: a program that stops reading early would break a pipe, and the
    // signal for that would end the tests.
    let inputFile = try InputFile(input)
    process.standardInput = inputFile.handle
    let output = Drain()
    let errorOutput = Drain()
    process.standardOutput = output.pipe
    process.standardError = errorOutput.pipe
    try process.run()
    output.start()
    errorOutput.start()
    process.waitUntilExit()
    return CommandRun(
      status: process.terminationStatus,
      isSignalled: process.terminationReason == .uncaughtSignal,
      output: output.finish(), errorOutput: errorOutput.finish())
  }
}

/// An unlinked file that holds a child's standard input.
private final class InputFile {
  let handle: FileHandle

  init(_ bytes: [UInt8]) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: "input")
    handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  }
}

/// Reads a pipe to its end on a thread of its own.
///
/// `@unchecked` is safe: the bytes are read only after the semaphore says that the thread is done.
private final class Drain: @unchecked Sendable {
  let pipe = Pipe()
  private let isDone = DispatchSemaphore(value: 0)
  private var bytes: [UInt8] = []

  func start() {
    let thread = Thread { [self] in
      bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
      isDone.signal()
    }
    thread.start()
  }

  func finish() -> [UInt8] {
    isDone.wait()
    return bytes
  }
}
