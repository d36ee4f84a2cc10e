package import SeedFiles
internal import SeedFormat

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The lines of a segment's text, unpacked while they are read.
///
/// Memory is bounded by the longest line. Used by one thread at a time.
package final class SegmentLines {
  private let path: String
  private let files: FileSystem
  private let descriptor: Int32
  private let plainByteCount: Int64
  private let inflation: GzipInflation?

  private let input: UnsafeMutableRawBufferPointer
  private var inputStart = 0
  private var inputEnd = 0
  private var fileOffset: Int64 = 0
  private var isFileAtEnd = false

  private var text: UnsafeMutablePointer<UInt8>
  private var capacity = SegmentLimits.textBytes
  /// What of the text is not given out yet.
  private var start = 0
  private var end = 0
  private var plainCount: Int64 = 0
  private var isTextAtEnd = false

  /// The number of the line that was given out last, counted from 1.
  package private(set) var lineNumber = 0

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - encoding: How the text is stored.
  ///   - plainByteCount: The exact length of the text.
  ///   - files: The file system.
  /// - Throws: ``SeedFiles/FileError``.
  package init(
    path: String, encoding: SegmentFile.Encoding, plainByteCount: Int64, files: FileSystem = .live
  ) throws(FileError) {
    self.path = path
    self.files = files
    self.plainByteCount = plainByteCount
    descriptor = try files.open(path, .read)
    inflation = encoding == .gzip ? GzipInflation() : nil
    input = .allocate(byteCount: SegmentLimits.inputBytes, alignment: 16)
    text = .allocate(capacity: capacity)
  }

  deinit {
    files.close(descriptor)
    input.deallocate()
    text.deallocate()
  }

  /// The next line without its LF, which stands behind it; nil at the end of the text.
  ///
  /// The bytes may be changed, and are there until the next call.
  /// - Returns: The line.
  /// - Throws: ``SegmentError`` when the text is damaged, too long or too short;
  ///   ``SeedFiles/FileError``.
  package func next() throws -> UnsafeMutableBufferPointer<UInt8>? {
    // What was looked at already has no LF.
    var searched = start
    while true {
      if let found = memchr(text + searched, 0x0A, end - searched) {
        let length = UnsafeRawPointer(text + start).distance(to: UnsafeRawPointer(found))
        let line = UnsafeMutableBufferPointer(start: text + start, count: length)
        start += length + 1
        lineNumber += 1
        return line
      }
      searched = end
      if isTextAtEnd {
        guard start == end else {
          throw SegmentError("it does not end with a line break", line: lineNumber + 1)
        }
        return nil
      }
      let moved = start
      try fill()
      searched -= moved - start
    }
  }

  /// Makes room and adds more text.
  private func fill() throws {
    if start > 0 {
      memmove(text, text + start, end - start)
      end -= start
      start = 0
    }
    if end == capacity {
      guard capacity <= SegmentLimits.lineBytes else {
        throw SegmentError(
          "it is longer than \(SegmentLimits.lineBytes) bytes", line: lineNumber + 1)
      }
      grow()
    }
    if let inflation { try inflate(inflation) } else { try readPlain() }
    if isTextAtEnd, plainCount != plainByteCount { throw wrongLength }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    memcpy(larger, text, end)
    text.deallocate()
    text = larger
    capacity *= 2
  }

  private var wrongLength: SegmentError {
    SegmentError("the text is not \(plainByteCount) bytes long, as the stream says")
  }

  /// Counts new text, no more of it than the stream says.
  private func take(_ count: Int) throws(SegmentError) {
    end += count
    plainCount += Int64(count)
    guard plainCount <= plainByteCount else { throw wrongLength }
  }

  private func readPlain() throws {
    let room = UnsafeMutableRawBufferPointer(start: text + end, count: capacity - end)
    let count = try files.readAt(descriptor, path, room, fileOffset)
    fileOffset += Int64(count)
    if count == 0 { isTextAtEnd = true }
    try take(count)
  }

  /// Unpacks until there is new text or the member is complete.
  private func inflate(_ inflation: GzipInflation) throws {
    while true {
      if inputStart == inputEnd, !isFileAtEnd { try readInput() }
      let packed = UnsafeRawBufferPointer(rebasing: input[inputStart..<inputEnd])
      let room = UnsafeMutableRawBufferPointer(start: text + end, count: capacity - end)
      let (taken, given, state) = inflation.inflate(packed, into: room)
      inputStart += taken
      try take(given)
      switch state {
      case .damaged(let words): throw SegmentError("the gzip data is damaged: \(words)")
      case .ended:
        try requireEndOfFile()
        isTextAtEnd = true
        return
      case .unfinished:
        if given > 0 { return }
        guard taken > 0 || !isFileAtEnd else {
          throw SegmentError("the gzip data ends too early")
        }
      }
    }
  }

  private func readInput() throws(FileError) {
    let count = try files.readAt(descriptor, path, input, fileOffset)
    fileOffset += Int64(count)
    inputStart = 0
    inputEnd = count
    isFileAtEnd = count == 0
  }

  private func requireEndOfFile() throws {
    if inputStart == inputEnd, !isFileAtEnd { try readInput() }
    guard inputStart == inputEnd else {
      throw SegmentError("something follows the gzip data")
    }
  }
}
