package import SeedFiles

/// Unpacks the gzip member at the beginning of a file, piece by piece.
///
/// The caller opens and closes the file, bounds the output, and judges how it ended: ``state`` and
/// the counts say that once ``next()`` gave nothing more.
package final class GzipFileReader {
  private let descriptor: Int32
  private let path: String
  private let files: FileSystem
  private let inflation = GzipInflation()
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private let output: UnsafeMutableRawBufferPointer
  /// What was read and not yet unpacked.
  private var rest: UnsafeRawBufferPointer
  private var readByteCount: Int64 = 0
  /// Whether the last piece filled the buffer, so that more may come of what was taken already.
  private var mayHaveMore = false

  /// What the data has come to; `unfinished` after the last piece means that it is cut off.
  package private(set) var state = GzipInflation.State.unfinished
  /// How many bytes were unpacked.
  package private(set) var givenByteCount: Int64 = 0
  /// How many bytes of the file were taken for that.
  package var takenByteCount: Int64 { readByteCount - Int64(rest.count) }

  /// Starts at the beginning of a file.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - path: Its path, for errors.
  ///   - pieceByteCount: The most bytes of a piece.
  ///   - files: The file system.
  package init(
    _ descriptor: Int32, _ path: String, pieceByteCount: Int = 1 << 18, files: FileSystem
  ) {
    self.descriptor = descriptor
    self.path = path
    self.files = files
    output = .allocate(byteCount: pieceByteCount, alignment: 4096)
    rest = UnsafeRawBufferPointer(rebasing: input[..<0])
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// The next bytes, which are valid until the next call; nil when there are no more.
  ///
  /// - Throws: ``FileError`` when the file cannot be read.
  package func next() throws(FileError) -> UnsafeRawBufferPointer? {
    while state == .unfinished {
      if rest.isEmpty, !mayHaveMore {
        let count = try files.readAt(descriptor, path, input, readByteCount)
        if count == 0 { return nil }
        readByteCount += Int64(count)
        rest = UnsafeRawBufferPointer(rebasing: input[..<count])
      }
      let step = inflation.inflate(rest, into: output)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.taken))
      mayHaveMore = step.given == output.count
      state = step.state
      givenByteCount += Int64(step.given)
      if step.given > 0 { return UnsafeRawBufferPointer(rebasing: output[..<step.given]) }
    }
    return nil
  }
}
