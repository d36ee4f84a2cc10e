/// Checks UTF-8 one scalar at a time (Unicode standard, table 3-7).
enum UTF8Scalar {
  /// The byte count of the scalar at `bytes`, which is not ASCII; 0 when it is not valid UTF-8 or
  /// no character that XML allows (U+FFFE and U+FFFF).
  @inline(__always)
  static func length(at bytes: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
    let length = anyLength(at: bytes, end: end)
    if length == 3, bytes[0] == 0xEF, bytes[1] == 0xBF, bytes[2] >= 0xBE { return 0 }
    return length
  }

  /// The byte count of the scalar at `bytes`, which is not ASCII; 0 when it is not valid UTF-8.
  @inline(__always)
  static func anyLength(at bytes: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
    let first = bytes[0]
    let available = end - bytes
    switch first {
    case 0xC2...0xDF:
      return available >= 2 && isContinuation(bytes[1]) ? 2 : 0
    case 0xE0...0xEF:
      guard available >= 3, isContinuation(bytes[1]), isContinuation(bytes[2]) else { return 0 }
      if first == 0xE0 && bytes[1] < 0xA0 || first == 0xED && bytes[1] > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard available >= 4, isContinuation(bytes[1]), isContinuation(bytes[2]),
        isContinuation(bytes[3])
      else { return 0 }
      if first == 0xF0 && bytes[1] < 0x90 || first == 0xF4 && bytes[1] > 0x8F { return 0 }
      return 4
    default: return 0
    }
  }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
