#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where text for the user goes: the standard output, the standard error, or a test's buffer.
package struct ConsoleStream: Sendable {
  /// Whether a person reads the stream.
  package var isTerminal: Bool
  /// Whether a line can be taken back and written again.
  package var canRedraw: Bool
  /// Whether text may carry colours.
  package var usesColor: Bool
  /// The width of the terminal; asked at each use because windows change.
  package var columns: @Sendable () -> Int
  /// Writes all the bytes or throws.
  package var write: @Sendable ([UInt8]) throws(ConsoleError) -> Void

  /// Creates a stream from its parts.
  package init(
    isTerminal: Bool, canRedraw: Bool, usesColor: Bool, columns: @escaping @Sendable () -> Int,
    write: @escaping @Sendable ([UInt8]) throws(ConsoleError) -> Void
  ) {
    self.isTerminal = isTerminal
    self.canRedraw = canRedraw
    self.usesColor = usesColor
    self.columns = columns
    self.write = write
  }

  /// The stream over an open file descriptor.
  ///
  /// Colours need a terminal that is not `dumb`, and an environment without `NO_COLOR`.
  static func descriptor(_ descriptor: Int32) -> ConsoleStream {
    let isTerminal = isatty(descriptor) == 1
    let canRedraw = isTerminal && environment("TERM") != "dumb"
    return ConsoleStream(
      isTerminal: isTerminal, canRedraw: canRedraw,
      usesColor: canRedraw && environment("NO_COLOR") == nil,
      columns: { columnCount(of: descriptor) },
      write: { bytes throws(ConsoleError) in try writeAll(bytes, to: descriptor) })
  }

  /// A variable of the environment that is set and not empty.
  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  private static func columnCount(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(ConsoleError) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]))
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        waitUntilWritable(descriptor)
      } else if errno != EINTR {
        throw ConsoleError(code: errno)
      }
    }
  }

  /// `write(2)`; apart because the stream has a member of the same name.
  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Waits for room in a pipe that someone else made non-blocking.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}
