extension JSONValue {
  /// Reads a small document of our own making, such as a lock file, by the rules of RFC 8259.
  ///
  /// Integers of 64 bits stay integers; every other number becomes a double. Inputs of a build are
  /// read elsewhere, in pieces and with their places.
  /// - Throws: ``JSONError``.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    self = try parser.document()
  }

  /// The value of an object's member; nil if this is no object or has no such member.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for anything else.
  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number of an integer; nil for anything else.
  package var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0

  /// Deeper documents would overflow the stack.
  private static let deepest = 100

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard index == bytes.count else { throw error("something follows the document") }
    return value
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func error(_ message: String) -> JSONError { JSONError(message: message, offset: index) }

  private mutating func skipBlanks() {
    while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  /// Takes a byte if it is the next one.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= Self.deepest else { throw error("the document is nested too deep") }
    skipBlanks()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), .some(0x30...0x39): return try number()
    default: break
    }
    for (word, value) in [("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null)]
    where bytes[index...].starts(with: word.utf8) {
      index += word.utf8.count
      return value
    }
    throw error("a value is expected")
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var members: [JSONValue.Member] = []
    skipBlanks()
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard current == UInt8(ascii: "\"") else { throw error("a name is expected") }
      let name = try string()
      guard !members.contains(where: { $0.name == name }) else {
        throw error("the name \"\(name)\" stands twice")
      }
      skipBlanks()
      guard take(":") else { throw error("\":\" is expected") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
      skipBlanks()
    } while take(",")
    guard take("}") else { throw error("\",\" or \"}\" is expected") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if take("]") { return .array([]) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipBlanks()
    } while take(",")
    guard take("]") else { throw error("\",\" or \"]\" is expected") }
    return .array(elements)
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    _ = take("-")
    if !take("0") { try digits() }
    let isInteger = current != UInt8(ascii: ".") && current.map { $0 | 0x20 } != UInt8(ascii: "e")
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isInteger, let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { throw error("the number is too large") }
    return .number(number)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
    guard index > start else { throw error("a digit is expected") }
  }

  private mutating func string() throws(JSONError) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = current {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        let string = String(decoding: text, as: UTF8.self)
        // Decoding repairs what is not UTF-8, which changes it.
        guard string.utf8.elementsEqual(text) else {
          throw error("the string is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): text += try escape().utf8
      case ..<0x20: throw error("a control character stands in a string")
      default: text.append(byte)
      }
    }
    throw error("the string has no end")
  }

  private mutating func escape() throws(JSONError) -> String {
    guard let byte = current else { throw error("the string has no end") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("an unknown escape stands in a string")
    }
  }

  private mutating func unicodeEscape() throws(JSONError) -> String {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return String(scalar) }
    // A character beyond the first plane is written as two surrogates.
    guard high < 0xDC00, take("\\"), take("u") else { throw error("half a character is escaped") }
    let low = try codeUnit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("half a character is escaped") }
    return String(scalar)
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    guard index + 4 <= bytes.count else { throw error("four digits are expected") }
    let digits = bytes[index..<index + 4]
    guard digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four digits are expected") }
    index += 4
    return unit
  }
}
