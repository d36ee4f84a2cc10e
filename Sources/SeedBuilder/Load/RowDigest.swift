internal import SeedFiles

/// The digest over a table's rows, fed as they are inserted; the format is that of
/// ``ContentDigest``.
///
/// It saves reading the rows again at the end, as long as they come in the order of their keys.
struct RowDigest {
  private final class Hash {
    var digest = SHA256Digest()
  }

  private let hash = Hash()
  private let buffer: UnsafeMutablePointer<UInt8>
  private var count = 0
  private let capacity: Int
  /// The most bytes that a row's start or a number takes.
  private let smallest = 16

  init(capacity: Int) {
    self.capacity = capacity
    buffer = .allocate(capacity: capacity)
  }

  func deallocate() {
    buffer.deallocate()
  }

  @inline(__always)
  private mutating func reserve() {
    if count + smallest > capacity { flush() }
  }

  private mutating func flush() {
    hash.digest.update(UnsafeRawBufferPointer(start: buffer, count: count))
    count = 0
  }

  @inline(__always)
  private mutating func put(_ value: UInt64) {
    UnsafeMutableRawPointer(buffer + count).storeBytes(of: value.littleEndian, as: UInt64.self)
    count += 8
  }

  @inline(__always)
  mutating func startRow(id: Int64) {
    reserve()
    buffer[count] = UInt8(ascii: "R")
    count += 1
    put(UInt64(bitPattern: id))
  }

  @inline(__always)
  private mutating func startValue(_ column: Int, _ type: UInt8) {
    reserve()
    buffer[count] = UInt8(truncatingIfNeeded: column)
    buffer[count + 1] = UInt8(truncatingIfNeeded: column >> 8)
    buffer[count + 2] = type
    count += 3
  }

  /// A number's eight bytes, with the letter of its type.
  @inline(__always)
  mutating func number(_ column: Int, _ type: UInt8, _ bits: UInt64) {
    startValue(column, type)
    put(bits)
  }

  @inline(__always)
  mutating func text(_ column: Int, _ bytes: UnsafePointer<UInt8>, count textCount: Int) {
    startValue(column, UInt8(ascii: "t"))
    put(UInt64(textCount))
    if count + textCount > capacity {
      flush()
      if textCount > capacity {
        hash.digest.update(UnsafeRawBufferPointer(start: bytes, count: textCount))
        return
      }
    }
    (buffer + count).update(from: bytes, count: textCount)
    count += textCount
  }

  /// The digest of what was fed.
  mutating func finalize() -> [UInt8] {
    flush()
    return hash.digest.finalize()
  }
}
