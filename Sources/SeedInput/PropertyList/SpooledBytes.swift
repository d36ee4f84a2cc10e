internal import SeedFiles
internal import SeedModel

/// All bytes of an input, to be read in any order.
///
/// A binary property list has its directory at its end and its objects in no order. What is small
/// is kept in memory; of the rest, which goes to an unnamed file, some pages are.
final class SpooledBytes {
  /// How many bytes there are.
  private(set) var count: Int64 = 0
  private var memory: UnsafeMutablePointer<UInt8>
  private var spool: SpoolFile?
  /// Of each page in memory, its number in the file; -1 for none.
  private var pageNumbers = [Int64](repeating: -1, count: SpooledBytes.pageCount)

  private static let pageByteCount = 16 << 10
  private static let pageCount = 256
  /// The same memory serves a small input as a whole and the pages of a large one.
  private static let memoryByteCount = pageByteCount * pageCount

  /// Reads `source` to its end.
  ///
  /// - Throws: what the source throws; ``FileError`` when there is no room for the bytes.
  init(_ source: any ByteSource) throws {
    memory = .allocate(capacity: SpooledBytes.memoryByteCount)
    // All is initialized: what is thrown from here on runs the deinitializer.
    try fill(from: source)
  }

  deinit {
    memory.deallocate()
  }

  private func fill(from source: any ByteSource) throws {
    var filled = 0
    while true {
      let capacity = SpooledBytes.memoryByteCount - filled
      if capacity == 0 {
        try append(filled)
        filled = 0
        continue
      }
      let more = try source.read(into: memory + filled, capacity: capacity)
      if more == 0 { break }
      filled += more
      count += Int64(more)
    }
    if spool != nil { try append(filled) }
  }

  private func append(_ byteCount: Int) throws {
    let file = try spool ?? SpoolFile()
    spool = file
    try file.append(UnsafeRawBufferPointer(start: memory, count: byteCount))
  }

  /// Copies bytes.
  ///
  /// - Precondition: There are so many.
  /// - Throws: ``FileError`` when the disk fails.
  func copy(_ offset: Int64, _ byteCount: Int, to target: UnsafeMutablePointer<UInt8>) throws {
    precondition(offset >= 0 && offset + Int64(byteCount) <= count)
    guard let spool else {
      return target.update(from: memory + Int(offset), count: byteCount)
    }
    var copied = 0
    while copied < byteCount {
      let position = offset + Int64(copied)
      let (number, start) = position.quotientAndRemainder(
        dividingBy: Int64(SpooledBytes.pageByteCount))
      let page = try page(number, of: spool)
      let length = min(byteCount - copied, SpooledBytes.pageByteCount - Int(start))
      (target + copied).update(from: page + Int(start), count: length)
      copied += length
    }
  }

  private func page(_ number: Int64, of spool: SpoolFile) throws -> UnsafeMutablePointer<UInt8> {
    let slot = Int(number % Int64(SpooledBytes.pageCount))
    let page = memory + slot * SpooledBytes.pageByteCount
    if pageNumbers[slot] == number { return page }
    pageNumbers[slot] = -1
    let buffer = UnsafeMutableRawBufferPointer(start: page, count: SpooledBytes.pageByteCount)
    var filled = 0
    while filled < buffer.count {
      let more = try spool.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]),
        at: number * Int64(SpooledBytes.pageByteCount) + Int64(filled))
      if more == 0 { break }
      filled += more
    }
    pageNumbers[slot] = number
    return page
  }

  /// A number in big-endian order, of at most eight bytes.
  ///
  /// - Precondition: There are so many bytes.
  /// - Throws: ``FileError`` when the disk fails.
  func integer(at offset: Int64, byteCount: Int) throws -> UInt64 {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { buffer in
      guard let bytes = buffer.baseAddress else { return 0 }
      try copy(offset, byteCount, to: bytes)
      var value: UInt64 = 0
      for index in 0..<byteCount { value = value << 8 | UInt64(bytes[index]) }
      return value
    }
  }
}
