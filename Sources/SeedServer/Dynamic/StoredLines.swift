internal import SeedFiles
internal import SeedFormat

/// The lines of a stored segment, unpacked as they are read.
internal final class StoredLines {
  /// The object is no segment that can be sent.
  internal struct Damaged: Error {
    internal var reason: String
  }

  /// Where the next line begins in the text.
  internal private(set) var offset: Int64 = 0

  private let descriptor: Int32
  private let path: String
  private let files: FileSystem
  private let inflation = GzipInflation()
  private var hasEnded = false
  private var fileOffset: Int64 = 0
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  private var inputRest: Range<Int> = 0..<0
  /// Unpacked bytes, of which ``start`` begins the next line.
  private var buffer: [UInt8] = []
  private var start = 0

  /// The longest line that a segment may have.
  private static let lineByteLimit = 24 << 20

  internal init(path: String, files: FileSystem) throws(FileError) {
    self.path = path
    self.files = files
    descriptor = try files.open(path, .readNoFollow)
  }

  deinit {
    files.close(descriptor)
    input.deallocate()
  }

  /// The next line with its line feed; nil at the end.
  ///
  /// - Throws: ``Damaged`` or ``FileError``.
  internal func next() throws -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer {
          offset += Int64(end + 1 - start)
          start = end + 1
        }
        return buffer[start...end]
      }
      searched = buffer.count
      guard searched - start <= Self.lineByteLimit else { throw Damaged(reason: "a long line") }
      let moved = start
      guard try fill() else {
        guard start == buffer.count else { throw Damaged(reason: "no line feed at its end") }
        return nil
      }
      // Filling moves what is left of the buffer to its start.
      searched -= moved
    }
  }

  /// Unpacks more behind what is left; false at the end.
  private func fill() throws -> Bool {
    buffer.removeFirst(start)
    start = 0
    let room = 128 << 10
    let before = buffer.count
    while buffer.count == before {
      if hasEnded { return false }
      if inputRest.isEmpty {
        let count = try files.readAt(descriptor, path, input, fileOffset)
        guard count > 0 else { throw Damaged(reason: "it ends too early") }
        fileOffset += Int64(count)
        inputRest = 0..<count
      }
      buffer.append(contentsOf: repeatElement(0, count: room))
      let (taken, given, state) = buffer.withUnsafeMutableBytes { bytes in
        inflation.inflate(
          UnsafeRawBufferPointer(rebasing: input[inputRest]),
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[before...]))
      }
      buffer.removeLast(room - given)
      inputRest = inputRest.lowerBound + taken..<inputRest.upperBound
      switch state {
      case .unfinished: break
      case .ended: hasEnded = true
      case .damaged(let words): throw Damaged(reason: words)
      }
    }
    return true
  }
}
