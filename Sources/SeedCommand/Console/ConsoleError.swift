import SeedFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A result that could not be written to the standard output.
package struct ConsoleError: Error, Sendable, Hashable {
  /// The system's error number.
  package var code: Int32

  /// Creates an error from the system's number for it.
  package init(code: Int32) {
    self.code = code
  }

  /// Whether the reader of the pipe went away, which is no fault worth a message.
  var isBrokenPipe: Bool { code == EPIPE }
}

extension ConsoleError: CustomStringConvertible {
  /// What went wrong, in one line.
  package var description: String {
    let cause = FileError(.write, "<stdout>", code: code)
    return "cannot write to the standard output: \(cause.reason)"
  }
}
