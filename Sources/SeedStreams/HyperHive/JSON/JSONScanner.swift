internal import SeedModel

/// Walks through a JSON document of any size in a file, piece by piece, by the rules of RFC 8259.
///
/// It builds no tree: whoever uses it says what comes next and gets texts as places in the window.
/// Escapes are undone where they stand, so a piece is scanned once only.
internal struct JSONScanner {
  internal let window: ByteWindow
  /// The next byte, as an index into the window.
  internal var position = 0
  /// The first byte of the piece that has to stay in the window, or -1 for none.
  internal var mark = -1
  /// Whether escapes in strings stay as they are written.
  internal var keepsEscapes = false
  /// Called before bytes in front of the mark are dropped or moved.
  internal var onMove: () throws -> Void = {}

  /// How deep arrays and objects may be nested.
  internal static let depthLimit = 512

  /// Scans a file from an offset on.
  internal init(
    at offset: Int64 = 0, capacity: Int = ByteWindow.usualCapacity,
    _ read: @escaping ByteWindow.Reading
  ) {
    window = ByteWindow(at: offset, capacity: capacity, read)
  }

  /// Where the next byte stands in the file.
  internal var offset: Int64 { window.fileOffset + Int64(position) }

  internal func problem(_ reason: JSONProblem.Reason) -> JSONProblem {
    JSONProblem(reason, at: offset)
  }

  /// Gets more bytes into the window; indices of it change.
  ///
  /// - Returns: Whether there are more.
  internal mutating func fill() throws -> Bool {
    try onMove()
    let start = mark >= 0 ? mark : position
    let hasMore = try window.fill(keepingFrom: start)
    position -= start
    if mark >= 0 { mark = 0 }
    return hasMore
  }

  /// The next byte, which stays the next one; nil at the end of the file.
  @inline(__always)
  internal mutating func peekByte() throws -> UInt8? {
    if position == window.count, try !fill() { return nil }
    return window.base[position]
  }

  /// The next byte that is no blank, which stays the next one.
  ///
  /// - Throws: ``JSONProblem`` at the end of the file.
  @inline(__always)
  internal mutating func peek() throws -> UInt8 {
    if position < window.count {
      let byte = window.base[position]
      if byte > 0x20 { return byte }
    }
    return try peekPastBlanks()
  }

  private mutating func peekPastBlanks() throws -> UInt8 {
    while let byte = try peekByte() {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return byte
      }
    }
    throw problem(.endsEarly)
  }

  /// Takes one byte that must come next.
  @inline(__always)
  internal mutating func take(_ byte: UInt8, _ expected: String) throws {
    guard try peek() == byte else {
      throw problem(.unexpected(found: try name(of: peek()), expected: expected))
    }
    position += 1
  }

  /// Takes a comma, or the bracket that closes a list.
  ///
  /// - Returns: Whether there is another element.
  @inline(__always)
  internal mutating func takesNext(before close: UInt8) throws -> Bool {
    let byte = try peek()
    if byte == UInt8(ascii: ",") {
      position += 1
      return true
    }
    if byte == close {
      position += 1
      return false
    }
    throw problem(
      .unexpected(
        found: name(of: byte),
        expected: close == UInt8(ascii: "]") ? "a comma or a ]" : "a comma or a }"))
  }

  /// Takes the bracket that opens a list, and the one that closes it if nothing is between them.
  ///
  /// - Returns: Whether there is a first element.
  internal mutating func opensList(
    _ open: UInt8, _ close: UInt8, _ expected: String
  ) throws -> Bool {
    try take(open, expected)
    guard try peek() == close else { return true }
    position += 1
    return false
  }

  /// Checks that nothing but blanks follows.
  internal mutating func takeEnd() throws {
    while let byte = try peekByte() {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: throw problem(.textBehind)
      }
    }
  }

  /// The name of a member with its colon.
  internal mutating func memberName() throws -> String {
    guard try peek() == UInt8(ascii: "\"") else {
      throw problem(.unexpected(found: try name(of: peek()), expected: "the name of a member"))
    }
    let text = try text()
    try take(UInt8(ascii: ":"), "a colon")
    return text
  }

  /// A string as text of its own.
  internal mutating func text() throws -> String {
    let outer = mark
    if outer < 0 { mark = position }
    let (start, count) = try string()
    let text = String(
      decoding: UnsafeBufferPointer(start: window.base + mark + start, count: count),
      as: UTF8.self)
    if outer < 0 { mark = -1 }
    return text
  }

  /// What a value that starts with a byte is called in messages.
  internal func name(of byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "a string"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "{"): "an object"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "a truth value"
    case UInt8(ascii: "n"): "null"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
    case 0x21...0x7E: "\"\(Character(Unicode.Scalar(byte)))\""
    default: "the byte \(byte)"
    }
  }
}
