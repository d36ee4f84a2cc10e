/// Eight bytes that are looked at together.
enum ByteWord {
  static var ones: UInt64 { 0x0101_0101_0101_0101 }
  static var high: UInt64 { 0x8080_8080_8080_8080 }

  /// A word of eight times the same byte.
  @inline(__always)
  static func repeating(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

  /// The eight bytes at an address, the first of them lowest.
  @inline(__always)
  static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func store(_ word: UInt64, to bytes: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(bytes).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// The high bit of each byte that is zero.
  ///
  /// The lowest bit set is right; above it bytes of 1 may be taken for zeros too.
  @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & high }

  /// The index of the byte whose bit is the lowest.
  @inline(__always)
  static func lowestIndex(_ bits: UInt64) -> Int { bits.trailingZeroBitCount >> 3 }
}
