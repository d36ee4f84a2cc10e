/// The part of a file that a scanner has in memory: it moves on through the file, and grows only for
/// a piece that has to lie together.
///
/// Used by one thread at a time.
internal final class ByteWindow {
  /// Reads bytes of the file from an offset on, at most the buffer's size; 0 at the end.
  internal typealias Reading = (UnsafeMutableRawBufferPointer, Int64) throws -> Int

  /// The bytes; the first ``count`` are the file's.
  internal private(set) var base: UnsafeMutablePointer<UInt8>
  internal private(set) var count = 0
  /// Where the first byte stands in the file.
  internal private(set) var fileOffset: Int64
  private var capacity: Int
  private let read: Reading

  /// How much is read at once.
  internal static let usualCapacity = 256 << 10
  /// The longest piece that may have to lie together: a row, or a value outside of rows.
  internal static let longestPiece = 1 << 28

  internal init(at offset: Int64, capacity: Int = usualCapacity, _ read: @escaping Reading) {
    fileOffset = offset
    self.capacity = capacity
    self.read = read
    base = .allocate(capacity: capacity)
    base.initialize(repeating: 0, count: capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Drops what lies before an index and reads on.
  ///
  /// - Parameter index: The first byte that is still needed; it is at index 0 afterwards.
  /// - Returns: Whether there is more; false at the end of the file.
  /// - Throws: What reading throws, or ``JSONProblem`` when the piece grows too long.
  internal func fill(keepingFrom index: Int) throws -> Bool {
    let kept = count - index
    if index > 0 {
      base.update(from: base + index, count: kept)
      fileOffset += Int64(index)
      count = kept
    }
    if count == capacity {
      guard capacity < Self.longestPiece else {
        throw JSONProblem(.tooLong(Self.longestPiece), at: fileOffset)
      }
      let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      grown.initialize(repeating: 0, count: capacity * 2)
      grown.update(from: base, count: count)
      base.deallocate()
      base = grown
      capacity *= 2
    }
    let space = UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    let read = try read(space, fileOffset + Int64(count))
    count += read
    return read > 0
  }
}
