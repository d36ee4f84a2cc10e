#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Makes a line feed of each carriage return that ends a line alone.
///
/// XML takes the one for the other before anything else looks at the text (XML 1.0, 2.11); done
/// here, whoever counts lines counts these too. A carriage return before a line feed stays.
final class LineEndSource: ByteSource {
  private let text: any ByteSource
  /// The byte behind a carriage return at the end of a piece.
  private var ahead: UInt8?
  /// What the source threw where that byte was wanted.
  private var failure: (any Error)?

  /// Changes what `text` gives, which is in UTF-8 or another encoding that agrees with ASCII.
  init(_ text: any ByteSource) {
    self.text = text
  }

  func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    if let failure { throw failure }
    var count = 0
    if let ahead {
      buffer[0] = ahead
      self.ahead = nil
      count = 1
    }
    if count < capacity { count += try text.read(into: buffer + count, capacity: capacity - count) }
    var index = 0
    while index < count, let found = memchr(buffer + index, 0x0D, count - index) {
      index = found.assumingMemoryBound(to: UInt8.self) - UnsafeMutablePointer(buffer)
      if index + 1 == count { readAhead() }
      let next = index + 1 < count ? buffer[index + 1] : ahead
      if next != 0x0A { buffer[index] = 0x0A }
      index += 1
    }
    return count
  }

  private func readAhead() {
    var byte: UInt8 = 0
    do {
      ahead = try text.read(into: &byte, capacity: 1) == 1 ? byte : nil
    } catch {
      failure = error
    }
  }
}
