/// The digest over a table's rows, fed as they are inserted; the format is that of
/// ``ContentDigest``.
///
/// It saves reading the rows again at the end, as long as they come in the order of their keys.
package struct RowDigest {
  private let hasher: RowHasher?
  private let hash = RowHasher.Hash()
  private var piece: RowHasher.Piece
  private let capacity: Int
  /// The most bytes that a row's start or a number takes.
  private let smallest = 16

  /// A digest of which the hasher does the work; without one, it does it itself, bit by bit.
  package init(hasher: RowHasher?) {
    self.hasher = hasher
    capacity = hasher == nil ? 512 : RowHasher.Piece.capacity
    piece = RowHasher.Piece(capacity: capacity)
  }

  package func deallocate() {
    piece.deallocate()
  }

  @inline(__always)
  private mutating func reserve() {
    if piece.count + smallest > capacity { flush() }
  }

  private mutating func flush() {
    guard let hasher else {
      hash.update(piece)
      piece.count = 0
      return
    }
    piece.hash = hash
    piece = hasher.deliver(piece)
  }

  @inline(__always)
  private mutating func put(_ value: UInt64) {
    UnsafeMutableRawPointer(piece.bytes + piece.count)
      .storeBytes(of: value.littleEndian, as: UInt64.self)
    piece.count += 8
  }

  /// Starts the next row, which has this number.
  @inline(__always)
  package mutating func startRow(id: Int64) {
    reserve()
    piece.bytes[piece.count] = UInt8(ascii: "R")
    piece.count += 1
    put(UInt64(bitPattern: id))
  }

  @inline(__always)
  private mutating func startValue(_ column: Int, _ type: UInt8) {
    reserve()
    let bytes = piece.bytes + piece.count
    bytes[0] = UInt8(truncatingIfNeeded: column)
    bytes[1] = UInt8(truncatingIfNeeded: column >> 8)
    bytes[2] = type
    piece.count += 3
  }

  /// A number's eight bytes, with the letter of its type.
  @inline(__always)
  package mutating func number(_ column: Int, _ type: UInt8, _ bits: UInt64) {
    startValue(column, type)
    put(bits)
  }

  /// A text or a blob, with the letter of its type.
  @inline(__always)
  package mutating func bytes(
    _ column: Int, _ type: UInt8, _ bytes: UnsafePointer<UInt8>, count byteCount: Int
  ) {
    startValue(column, type)
    put(UInt64(byteCount))
    if piece.count + byteCount > capacity {
      addLong(bytes, count: byteCount)
      return
    }
    (piece.bytes + piece.count).update(from: bytes, count: byteCount)
    piece.count += byteCount
  }

  /// Adds bytes that does not fit into what is left of the piece.
  private mutating func addLong(_ bytes: UnsafePointer<UInt8>, count byteCount: Int) {
    var offset = 0
    while offset < byteCount {
      if piece.count == capacity { flush() }
      let length = min(byteCount - offset, capacity - piece.count)
      (piece.bytes + piece.count).update(from: bytes + offset, count: length)
      piece.count += length
      offset += length
    }
  }

  /// The digest of what was fed.
  ///
  /// - Precondition: The hasher has finished.
  package func finalize() -> [UInt8] {
    hash.update(piece)
    return hash.finalize()
  }
}
