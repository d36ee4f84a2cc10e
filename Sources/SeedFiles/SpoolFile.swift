#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file without a name for bytes that are read again, such as those of standard input.
///
/// It is unlinked right after its creation, so it vanishes with the process however that ends. Used
/// by one thread at a time.
package final class SpoolFile {
  /// The number of bytes appended so far.
  package private(set) var byteCount: Int64 = 0
  /// The name it was created under, for messages.
  private let path: String
  private let descriptor: Int32
  private let files: FileSystem
  private var position: Int64 = 0

  private static let counter = Lock<UInt32>(0)

  /// Creates an empty file in a directory: `$TMPDIR`, or `/tmp` without it, if none is given.
  ///
  /// - Throws: ``FileError`` when the directory is missing or does not take files.
  package init(in directory: String? = nil, files: FileSystem = .live) throws(FileError) {
    self.files = files
    let directory = directory ?? Self.defaultDirectory
    while true {
      let number = Self.counter.withLock { counter in
        counter &+= 1
        return counter
      }
      let path = Destination.join(directory, ".seed-spool-\(getpid())-\(number)")
      do throws(FileError) {
        descriptor = try files.open(path, .createNew(permissions: 0o600))
        self.path = path
        break
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
    try files.unlink(path)
  }

  deinit {
    files.close(descriptor)
  }

  /// Adds bytes at the end; where reading goes on does not change.
  ///
  /// - Throws: ``FileError``, with ``FileError/isFull`` when the directory has no more room.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try files.writeAll(descriptor, path, bytes)
    byteCount += Int64(bytes.count)
  }

  /// Reads on from where the last read ended, at most the buffer's size; 0 at the end.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let count = try files.readAt(descriptor, path, buffer, position)
    position += Int64(count)
    return count
  }

  /// Reads from an offset on, at most the buffer's size; 0 at the end.
  ///
  /// Where ``read(into:)`` goes on does not change.
  ///
  /// - Throws: ``FileError`` when the disk fails.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try files.readAt(descriptor, path, buffer, offset)
  }

  /// Makes the next read start at the first byte.
  package func rewind() {
    position = 0
  }

  private static var defaultDirectory: String {
    guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/tmp" }
    return String(cString: value)
  }
}
