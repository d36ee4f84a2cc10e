extension LocatedJSONParser {
  // MARK: Words

  /// Reads `true`, `false` or `null`.
  mutating func word() throws(JSONError) -> LocatedJSON.Value {
    let start = index
    let word = takeText(while: LocatedJSONParser.isWordPart)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: throw error(.unknownWord(word, meant: meaning(of: word)), at: start)
    }
  }

  /// What other languages' words are called in JSON.
  private func meaning(of word: String) -> String? {
    switch word.lowercased() {
    case "true", "yes", "on": "true"
    case "false", "no", "off": "false"
    case "null", "nil", "none", "undefined": "null"
    default: nil
    }
  }

  private mutating func takeText(while isPart: (Unicode.Scalar) -> Bool) -> String {
    let part = text.scalars[index...].prefix(while: isPart)
    index = part.endIndex
    var result = ""
    result.unicodeScalars.append(contentsOf: part)
    return result
  }

  // MARK: Numbers

  /// Reads a number.
  ///
  /// All that looks like a part of it is taken, so that an error shows what the writer meant.
  mutating func number() throws(JSONError) -> LocatedJSON.Value {
    let start = index
    let literal = takeText { scalar in
      scalar == "+" || scalar == "-" || scalar == "." || LocatedJSONParser.isWordPart(scalar)
    }
    guard let isWhole = wholeness(of: literal) else {
      throw error(.malformedNumber(literal), at: start)
    }
    if keepsLiterals {
      self.literal = literal
      if isWhole, let value = Int64(literal) { return .integer(value) }
      return .number(Double(literal) ?? .nan)
    }
    if isWhole {
      guard let value = Int64(literal) else { throw error(.hugeNumber(literal), at: start) }
      return .integer(value)
    }
    guard let value = Double(literal), value.isFinite else {
      throw error(.hugeNumber(literal), at: start)
    }
    if NumberDigits("\(value)".utf8) != NumberDigits(literal.utf8) { self.literal = literal }
    return .number(value)
  }

  /// Whether a number has neither fraction nor exponent; nil when it is none (RFC 8259, 6).
  private func wholeness(of literal: String) -> Bool? {
    var rest = Substring(literal)
    if rest.first == "-" { rest.removeFirst() }
    guard let whole = digits(&rest), whole == "0" || whole.first != "0" else { return nil }
    var isWhole = true
    if rest.first == "." {
      rest.removeFirst()
      guard digits(&rest) != nil else { return nil }
      isWhole = false
    }
    if rest.first == "e" || rest.first == "E" {
      rest.removeFirst()
      if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
      guard digits(&rest) != nil else { return nil }
      isWhole = false
    }
    return rest.isEmpty ? isWhole : nil
  }

  private func digits(_ rest: inout Substring) -> Substring? {
    let digits = rest.prefix { "0"..."9" ~= $0 }
    rest = rest[digits.endIndex...]
    return digits.isEmpty ? nil : digits
  }

  // MARK: Strings

  /// Reads a string; the next character is its first quote.
  mutating func string() throws(JSONError) -> String {
    let start = index
    var result = ""
    index += 1
    while let scalar = current {
      switch scalar {
      case "\"":
        index += 1
        return result
      case "\\": result.unicodeScalars.append(try escape())
      case "\n", "\r": throw error(.unclosed("a string"), at: start)
      case "\u{0}"..."\u{1F}": throw error(.controlCharacter(scalar), at: index)
      default:
        result.unicodeScalars.append(scalar)
        index += 1
      }
    }
    throw error(.unclosed("a string"), at: start)
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard let letter = current else { throw error(.unclosed("a string"), at: start) }
    index += 1
    switch letter {
    case "\"", "\\", "/": return letter
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try unicodeEscape(from: start)
    default: throw error(.unknownEscape("\\\(letter)"), at: start)
    }
  }

  /// Reads four digits, and another escape behind the first half of a surrogate pair.
  private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try hexadecimal(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, text.scalars[index...].starts(with: ["\\", "u"]) else {
      throw error(.loneSurrogate, at: start)
    }
    let second = index
    index += 2
    let low = try hexadecimal(from: second)
    guard 0xDC00...0xDFFF ~= low else { throw error(.loneSurrogate, at: start) }
    let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw error(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func hexadecimal(from start: Int) throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let scalar = current, let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
        var text = ""
        text.unicodeScalars.append(contentsOf: self.text.scalars[start..<index])
        throw error(.unknownEscape(text), at: start)
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
