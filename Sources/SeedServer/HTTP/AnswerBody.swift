internal import SeedFiles

/// The bytes of an answer, read as fast as the client takes them.
///
/// Used by one thread at a time.
package protocol AnswerBody: AnyObject {
  /// The length, where it is known before the body is read.
  var byteCount: Int64? { get }

  /// Reads on, at most the buffer's size.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  /// - Throws: What keeps the rest from coming; the client then sees the answer cut off.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A body in memory.
package final class BytesBody: AnswerBody {
  private let bytes: [UInt8]
  private var position = 0

  /// A body of some bytes.
  package init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// The length of the body.
  package var byteCount: Int64? { Int64(bytes.count) }

  /// Copies what fits.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

/// A range of a file's bytes.
internal final class FileBody: AnswerBody {
  private let descriptor: Int32
  private let path: String
  private let files: FileSystem
  private var position: Int64
  private let end: Int64

  /// The file became shorter while it was read.
  internal struct Shortened: Error {}

  /// Takes over an open file, which is closed at the end.
  internal init(_ descriptor: Int32, _ path: String, _ range: Range<Int64>, files: FileSystem) {
    self.descriptor = descriptor
    self.path = path
    self.files = files
    position = range.lowerBound
    end = range.upperBound
    byteCount = end - position
  }

  deinit {
    files.close(descriptor)
  }

  internal let byteCount: Int64?

  internal func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = min(Int64(buffer.count), end - position)
    guard count > 0 else { return 0 }
    let read = try files.readAt(
      descriptor, path, UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)]), position)
    guard read > 0 else { throw Shortened() }
    position += Int64(read)
    return read
  }
}
