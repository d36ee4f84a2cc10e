/// Finds bytes that are no text: NUL, and what is not UTF-8.
enum TextCheck {
  /// What stopped a check.
  enum End {
    /// All bytes are text; an unfinished character at the end may be left.
    case complete
    case nul
    case invalid
    /// The text ends inside a character.
    case cut
  }

  /// Checks the bytes from `start` on.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - start: Where to begin.
  ///   - count: Where to end.
  ///   - isLast: Whether the text ends there.
  /// - Returns: The index of the first byte that is not known to be text, and what it is.
  static func check(
    _ bytes: UnsafePointer<UInt8>, from start: Int, count: Int, isLast: Bool
  ) -> (index: Int, end: End) {
    var index = start
    let end = bytes + count
    while index < count {
      // A byte that is zero or beyond ASCII shows in the high bits; so may its neighbour.
      while index + 8 <= count {
        let word = ByteWord.load(bytes + index)
        if (word | (word &- ByteWord.ones)) & ByteWord.high != 0 { break }
        index += 8
      }
      guard index < count else { break }
      let byte = bytes[index]
      if byte == 0 { return (index, .nul) }
      if byte < 0x80 {
        index += 1
        continue
      }
      // Characters beyond ASCII mostly come several at a time.
      while index < count, bytes[index] >= 0x80 {
        let length = UTF8Scalar.anyLength(at: bytes + index, end: end)
        if length == 0 { return (index, fault(at: bytes + index, end: end, isLast: isLast)) }
        index += length
      }
    }
    return (count, .complete)
  }

  private static func fault(
    at bytes: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, isLast: Bool
  ) -> End {
    let wanted =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    let there = end - bytes
    guard there < wanted, (1..<max(1, there)).allSatisfy({ bytes[$0] & 0xC0 == 0x80 }) else {
      return .invalid
    }
    // Whether what is there may begin a character shows with the next piece.
    return isLast ? .cut : .complete
  }
}
