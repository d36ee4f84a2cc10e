extension JSONScanner {
  /// A string, whose first quote is the next byte; a mark must be set.
  ///
  /// - Returns: Where its bytes start, counted from the mark, and how many they are once escapes are
  ///   undone.
  internal mutating func string() throws -> (start: Int, count: Int) {
    position += 1
    let start = position - mark
    var isPlain = true
    while true {
      let base = window.base
      let end = window.count
      var index = position
      while index < end {
        let byte = base[index]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        if byte >= 0x80 { isPlain = false }
        index += 1
      }
      position = index
      guard index < end else {
        guard try fill() else { throw problem(.endsEarly) }
        continue
      }
      switch base[index] {
      case UInt8(ascii: "\""):
        let count = index - mark - start
        if !isPlain { try checkUTF8(start, count) }
        position += 1
        return (start, count)
      case UInt8(ascii: "\\"): return try escapedString(start, isPlain: isPlain)
      default: throw problem(.controlCharacter)
      }
    }
  }

  /// The rest of a string from its first escape on; what is undone moves to the front, unless the
  /// piece is to stay as it is written.
  private mutating func escapedString(
    _ start: Int, isPlain: Bool
  ) throws -> (start: Int, count: Int) {
    var isPlain = isPlain
    var count = position - mark - start
    while true {
      guard let byte = try peekByte() else { throw problem(.endsEarly) }
      switch byte {
      case UInt8(ascii: "\""):
        if keepsEscapes { count = position - mark - start }
        if !isPlain { try checkUTF8(start, count) }
        position += 1
        return (start, count)
      case UInt8(ascii: "\\"):
        let scalar = try escape()
        if keepsEscapes { continue }
        for unit in UTF8.encode(scalar) ?? UTF8.EncodedScalar() {
          window.base[mark + start + count] = unit
          count += 1
        }
      case ..<0x20: throw problem(.controlCharacter)
      default:
        if byte >= 0x80 { isPlain = false }
        position += 1
        if keepsEscapes { continue }
        window.base[mark + start + count] = byte
        count += 1
      }
    }
  }

  /// The character that an escape stands for; never more bytes than the escape itself.
  private mutating func escape() throws -> Unicode.Scalar {
    let place = offset
    position += 1
    guard let byte = try peekByte() else { throw problem(.endsEarly) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONProblem(.unknownEscape, at: place)
    }
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00 else { throw JSONProblem(.loneSurrogate, at: place) }
    for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      guard let next = try peekByte() else { throw problem(.endsEarly) }
      guard next == expected else { throw JSONProblem(.loneSurrogate, at: place) }
      position += 1
    }
    let second = try fourDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw JSONProblem(.loneSurrogate, at: place) }
    return scalar
  }

  private mutating func fourDigits() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = try peekByte() else { throw problem(.endsEarly) }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw problem(.unknownEscape)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private func checkUTF8(_ start: Int, _ count: Int) throws {
    let bytes = UnsafeBufferPointer(start: window.base + mark + start, count: count)
    var codec = Unicode.UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch codec.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return
      case .error: throw problem(.notUTF8)
      }
    }
  }
}
