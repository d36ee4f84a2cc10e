internal import SeedModel

/// What is wrong with a text that is no JSON, in words that say what is expected instead.
extension JSONParse {
  // MARK: Places

  /// An error at an offset of the text; at the start of what is left of it, if that is gone.
  func error(_ reason: InputError.Reason, at offset: Int64) -> InputError {
    let isGone = offset < window.startOffset && longTokenPlace?.offset == offset
    let index = Int(max(0, offset - window.startOffset))
    let place = (isGone ? longTokenPlace?.place : nil) ?? window.place(of: index, file: name)
    return InputError(reason, at: place.0, excerpt: place.1)
  }

  func error(
    _ message: String, hint: String? = nil, at p: UnsafePointer<UInt8>
  ) -> InputError {
    error(.malformed(message, hint: hint), at: offset(of: p))
  }

  /// The innermost open value, with the line that it starts in.
  private var openValue: String {
    let isArray = tokenizer.isInArray
    let line = tokenizer.top.pointee.line
    return "\(isArray ? "array" : "object") that starts in line \(line)"
  }

  // MARK: Where something else is expected

  /// A value is expected.
  func valueExpected(isAfterComma: Bool, at p: UnsafePointer<UInt8>) -> InputError {
    if let mistake = commonMistake(at: p) { return mistake }
    let byte = p.pointee
    if isAfterComma, byte == UInt8(ascii: "]") { return trailingComma(before: "]", at: p) }
    if let word = word(at: p) {
      return error(
        "\"\(word)\" is no JSON value", hint: "put texts in double quotes", at: p)
    }
    return error("\(shown(p)) stands where a value is expected", at: p)
  }

  /// The name of a member is expected, or the end of an object that has none yet.
  func nameExpected(isFirst: Bool, at p: UnsafePointer<UInt8>) -> InputError {
    let byte = p.pointee
    if !isFirst, byte == UInt8(ascii: "}") { return trailingComma(before: "}", at: p) }
    if let mistake = quoteMistake(at: p) ?? commentMistake(at: p) { return mistake }
    if let word = word(at: p) {
      return error(
        "the name \"\(word)\" is not in double quotes", hint: "JSON has names in double quotes",
        at: p)
    }
    return error("\(shown(p)) stands where the name of a member is expected", at: p)
  }

  /// The colon behind the name of a member is expected.
  func colonExpected(at p: UnsafePointer<UInt8>) -> InputError {
    commentMistake(at: p)
      ?? error("\(shown(p)) stands where a \":\" is expected behind the name of a member", at: p)
  }

  /// A comma or the end of the innermost object or array is expected.
  func commaExpected(at p: UnsafePointer<UInt8>) -> InputError {
    if let mistake = commentMistake(at: p) { return mistake }
    let isArray = tokenizer.isInArray
    let closing = isArray ? "]" : "}"
    switch p.pointee {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return error(
        "\(shown(p)) does not close the \(openValue)", hint: "close it with \"\(closing)\" first",
        at: p)
    case UInt8(ascii: ":") where isArray:
      return error(
        "a \":\" in an array, whose items have no names",
        hint: "an object stands in \"{\" and \"}\"", at: p)
    default:
      return error(
        "\(shown(p)) stands where a \",\" or the \"\(closing)\" of the \(openValue) is expected",
        at: p)
    }
  }

  /// An object or an array is expected.
  func containerExpected(at p: UnsafePointer<UInt8>) -> InputError {
    if p.pointee == UInt8(ascii: "<") {
      return error(
        "this is not JSON but looks like XML or HTML", hint: "name its format with --format", at: p)
    }
    if let mistake = commentMistake(at: p) { return mistake }
    return error(
      "a JSON text to build from is an object or an array, not \(shown(p))",
      hint: "write an array of objects, such as [{\"id\": 1}]", at: p)
  }

  /// Nothing more is expected, in this line or at all.
  func endExpected(at p: UnsafePointer<UInt8>) -> InputError {
    if let mistake = commentMistake(at: p) { return mistake }
    if isLines {
      if p.pointee == UInt8(ascii: ",") {
        return error(
          "a comma behind the value of a line",
          hint: "NDJSON has one value a line and nothing between them", at: p)
      }
      return error(
        "\(shown(p)) stands behind the value of a line", hint: "begin a line for each value", at: p)
    }
    let isOnNewLine = hasLineBreak(before: p)
    let isValue = p.pointee == UInt8(ascii: "{") || p.pointee == UInt8(ascii: "[")
    return error(
      isValue ? "a second value begins here" : "\(shown(p)) stands behind the end of the document",
      hint: isValue && isOnNewLine
        ? "if each line is a value of its own, say --format ndjson"
        : isValue ? "put the values into one array" : nil, at: p)
  }

  /// A line of NDJSON ends inside its value.
  func lineEnds(at p: UnsafePointer<UInt8>) -> InputError {
    error(
      "the line ends inside an \(tokenizer.isInArray ? "array" : "object")",
      hint: "write each record in one line; if the file is one document, say --format json", at: p)
  }

  // MARK: Ends

  /// There is no value at all.
  func nothingThere(at p: UnsafePointer<UInt8>) -> InputError {
    error(
      "the file has no value: an object or an array is expected",
      hint: "see whether it was written completely", at: p)
  }

  /// The text ends too early.
  func textEnds(at p: UnsafePointer<UInt8>) -> InputError {
    error("the document ends inside the \(openValue)", hint: JSONParse.cutHint, at: p)
  }

  private static var cutHint: String { "see whether the end of the file is missing" }

  // MARK: Texts

  /// The text in quotes that was begun has no end.
  func textUnclosed(isName: Bool, at p: UnsafePointer<UInt8>) -> InputError {
    let what = isName ? "name" : "text"
    return error(
      .malformed(
        "the document ends inside the \(what) that begins here", hint: JSONParse.cutHint),
      at: tokenOffset)
  }

  /// A control character stands in a text.
  func controlInText(isName: Bool, at p: UnsafePointer<UInt8>) -> InputError {
    let what = isName ? "name" : "text"
    switch p.pointee {
    case 0: return error(.nulByte, at: offset(of: p))
    case 0x0A, 0x0D:
      return error(
        "the line ends inside a \(what)",
        hint: "see whether the closing quote is missing; a line break in a text is written \\n",
        at: p)
    case 0x09: return error("a tab in a \(what)", hint: "write it as \\t", at: p)
    default:
      let code = String(p.pointee, radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: 4 - code.count) + code
      return error(
        "the control character U+\(digits) in a \(what)",
        hint: "write it as \\u\(digits)", at: p)
    }
  }

  /// Bytes that are no UTF-8.
  func undecodable(at p: UnsafePointer<UInt8>) -> InputError {
    let rest = end - p
    // What is left may be the start of a character.
    if rest < 4, window.isAtEnd, isCutScalar(p, rest) {
      return error(.cutCharacter(encoding: "UTF-8"), at: offset(of: p))
    }
    return error(.undecodable(encoding: "UTF-8", byte: p.pointee), at: offset(of: p))
  }

  private func isCutScalar(_ p: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2
    guard p[0] >= 0xC2, p[0] < 0xF5, count < length else { return false }
    return (1..<max(1, count)).allSatisfy { p[$0] & 0xC0 == 0x80 }
  }

  /// A backslash with something behind it that is no escape.
  func wrongEscape(at p: UnsafePointer<UInt8>) -> InputError {
    if p + 1 >= end { return textUnclosed(isName: false, at: p) }
    if p[1] == UInt8(ascii: "u") {
      return error("\"\\u\" without four hexadecimal digits", at: p)
    }
    let character = shown(p + 1).dropFirst().dropLast()
    return error(
      "\"\\\(character)\" is no escape of JSON", hint: "a backslash itself is written \\\\", at: p)
  }

  /// Half of a pair of escapes.
  func loneSurrogate(at p: UnsafePointer<UInt8>) -> InputError {
    let escape = String(decoding: UnsafeBufferPointer(start: p, count: 6), as: UTF8.self)
    return error(
      "\"\(escape)\" is half a character: its other half is missing",
      hint: "characters beyond U+FFFF take two escapes, such as \\uD83D\\uDE00", at: p)
  }

  /// The escape of a character that no text in SQLite can have.
  func nulEscape(at p: UnsafePointer<UInt8>) -> InputError {
    error(
      "\"\\u0000\" stands for a NUL character, at which SQLite's functions end a text",
      hint: "take it out, or write binary data as Base64", at: p)
  }

  // MARK: Numbers, names and marks

  /// A number that is written in another way than JSON's.
  func wrongNumber(
    _ fault: NumberFault, at p: UnsafePointer<UInt8>, _ cursor: UnsafePointer<UInt8>
  ) -> InputError {
    switch fault {
    case .leadingZero:
      return error(
        "a number of more than one digit begins with 0",
        hint: "put it in quotes if the zeros count, as in codes; else leave them out", at: p)
    case .noDigit:
      if let mistake = commonMistake(at: p) { return mistake }
      return error("a \"-\" without a digit behind it", at: p)
    case .noFraction: return error("a number ends with its point", hint: "write 5 or 5.0", at: p)
    case .noExponent: return error("a number ends with its \"e\"", at: p)
    }
  }

  /// A second member of one name.
  func duplicate(_ member: String) -> InputError {
    error(
      .malformed(
        "the object has a member \"\(shortened(member))\" already",
        hint: "one of the two would be lost; rename it, or make an array of the values"),
      at: tokenOffset)
  }

  /// A byte that may stand nowhere between values.
  func wrongByte(at p: UnsafePointer<UInt8>) -> InputError {
    if p.pointee == 0 { return error(.nulByte, at: offset(of: p)) }
    let code = String(p.pointee, radix: 16, uppercase: true)
    return error("the control character U+\(code.count == 1 ? "000" : "00")\(code)", at: p)
  }

  private func trailingComma(before closing: String, at p: UnsafePointer<UInt8>) -> InputError {
    error(
      "a comma stands before \"\(closing)\"", hint: "JSON has no comma behind the last one", at: p)
  }

  // MARK: Pieces of the text

  /// The letters and digits from here on, if there are any.
  func word(at p: UnsafePointer<UInt8>) -> String? {
    var cursor = p
    while cursor < end, cursor - p < 40, JSONParse.isWordByte(cursor.pointee) { cursor += 1 }
    return cursor == p ? nil : text(from: p, to: cursor)
  }

  func text(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
  }

  /// The character at `p` in quotes.
  func shown(_ p: UnsafePointer<UInt8>) -> String {
    guard p < end else { return "the end" }
    switch p.pointee {
    case UInt8(ascii: "\""): return "a quote"
    case 0x80...0xFF:
      let count = max(1, UTF8Scalar.anyLength(at: p, end: end))
      return "\"\(text(from: p, to: p + count))\""
    default: return "\"\(text(from: p, to: p + 1))\""
    }
  }

  private func shortened(_ text: String) -> String {
    text.utf8.count <= 80 ? text : String(text.prefix(40)) + "…"
  }

  /// Whether there is nothing but blanks between the last line break and `p`.
  private func hasLineBreak(before p: UnsafePointer<UInt8>) -> Bool {
    var cursor = p
    while cursor > UnsafePointer(window.bytes) {
      cursor -= 1
      if cursor.pointee == 0x0A { return true }
      if cursor.pointee > 0x20 { return false }
    }
    return false
  }
}
