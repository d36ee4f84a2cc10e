internal import SeedModel

/// Texts in quotes: copied and checked eight bytes at a time.
extension JSONParse {
  /// Appends the text whose opening quote stands before `p` to the batch; `p` comes to stand behind
  /// its closing quote.
  ///
  /// - Throws: ``InputError``.
  @inline(__always)
  mutating func text(_ p: inout UnsafePointer<UInt8>, isName: Bool) throws {
    let start = tokenizer.batch.byteCount
    while true {
      tokenizer.batch.reserve(JSONParse.stride)
      var target = tokenizer.batch.bytes + tokenizer.batch.byteCount
      let limit = tokenizer.batch.bytes + (tokenizer.batch.byteCapacity - JSONParse.stride)
      var cursor = p
      var unusual: UInt64 = 0
      repeat {
        let word = UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)
        UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
        unusual = JSONParse.unusualBytes(UInt64(littleEndian: word))
        let count = unusual == 0 ? 8 : unusual.trailingZeroBitCount >> 3
        cursor += count
        target += count
      } while unusual == 0 && target <= limit
      tokenizer.batch.byteCount = target - tokenizer.batch.bytes
      p = cursor
      if unusual == 0 { continue }
      if cursor.pointee == UInt8(ascii: "\"") {
        p = cursor + 1
        return
      }
      try takeUnusual(&p, start: start, isName: isName)
    }
  }

  private static var stride: Int { 8 }

  /// Marks the high bits of quotes, backslashes, control characters and all that is not ASCII.
  ///
  /// Bits above the lowest one may be set without reason.
  @inline(__always)
  private static func unusualBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let found =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- (ones &* 0x20)) & ~word) | word
    return found & (ones &* 0x80)
  }

  /// Takes what is no plain ASCII.
  @inline(never)
  private mutating func takeUnusual(
    _ p: inout UnsafePointer<UInt8>, start: Int, isName: Bool
  ) throws {
    switch p.pointee {
    case 0x80...0xFF: try takeScalars(&p)
    case UInt8(ascii: "\\"): try takeEscape(&p)
    case 0 where p == end:
      try checkLength(from: start, isName: isName, at: p)
      if try !refill(&p) { throw textUnclosed(isName: isName, at: p) }
    default: throw controlInText(isName: isName, at: p)
    }
  }

  /// Takes characters that are not ASCII as long as there are some.
  private mutating func takeScalars(_ p: inout UnsafePointer<UInt8>) throws {
    while p.pointee >= 0x80 {
      let count = UTF8Scalar.anyLength(at: p, end: end)
      guard count > 0 else {
        let available = end - p
        if available < 4, try refill(&p), end - p > available { continue }
        throw undecodable(at: p)
      }
      tokenizer.batch.append(bytes: p, count: count)
      p += count
    }
  }

  // MARK: Escapes

  private mutating func takeEscape(_ p: inout UnsafePointer<UInt8>) throws {
    // The longest is a pair of \u with four digits each.
    var hasMore = true
    while hasMore, end - p < 12 { hasMore = try refill(&p) }
    let byte: UInt8
    switch p[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = p[1]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0C
    case UInt8(ascii: "n"): byte = 0x0A
    case UInt8(ascii: "r"): byte = 0x0D
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "u"): return try takeUnicodeEscape(&p)
    default: throw wrongEscape(at: p)
    }
    tokenizer.batch.append(byte: byte)
    p += 2
  }

  private mutating func takeUnicodeEscape(_ p: inout UnsafePointer<UInt8>) throws {
    guard let unit = JSONParse.hexadecimal(p + 2) else { throw wrongEscape(at: p) }
    var value = unit
    var count = 6
    if unit & 0xF800 == 0xD800 {
      guard unit < 0xDC00, p[6] == UInt8(ascii: "\\"), p[7] == UInt8(ascii: "u"),
        let second = JSONParse.hexadecimal(p + 8), second & 0xFC00 == 0xDC00
      else { throw loneSurrogate(at: p) }
      value = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
      count = 12
    }
    guard value != 0 else { throw nulEscape(at: p) }
    guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(at: p) }
    for byte in UTF8.encode(scalar) ?? .init() { tokenizer.batch.append(byte: byte) }
    p += count
  }

  private static func hexadecimal(_ digits: UnsafePointer<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = digits[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
