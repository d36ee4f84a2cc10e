/// The names that stand in a piece of SQL.
///
/// Of an index over an expression, or of a generated column, SQLite tells the text alone; which
/// columns its value follows from has to be read there.
enum SQLNames {
  /// A piece of SQL: a word or quoted name, a text or number, or one character of punctuation.
  enum Token: Equatable {
    case name(String)
    case literal
    case mark(UInt8)
  }

  /// The name as SQLite compares it: without regard to the case of ASCII letters.
  static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }

  /// Whether a CREATE TABLE says of a constraint what is to happen when it is broken.
  ///
  /// `NOT NULL ON CONFLICT REPLACE` does not count: it puts the default where NULL would be, and
  /// takes no row away.
  static func hasConflictClause(_ sql: String) -> Bool {
    let words = tokens(sql).map { if case .name(let name) = $0 { folded(name) } else { "" } }
    return words.indices.dropLast(2).contains { index in
      guard words[index] == "on", words[index + 1] == "conflict" else { return false }
      let isDefault = index > 0 && words[index - 1] == "null" && words[index + 2] == "replace"
      return !isDefault
    }
  }

  /// The tokens of a text, without spaces and comments.
  static func tokens(_ sql: String) -> [Token] {
    tokens(of: Array(sql.utf8)).map(\.token)
  }

  /// The tokens of a text, and how each is written.
  static func texts(_ sql: String) -> [(token: Token, text: String)] {
    let bytes = Array(sql.utf8)
    return tokens(of: bytes).map { ($0.token, String(decoding: bytes[$0.range], as: UTF8.self)) }
  }

  /// The tokens of a text, and where each stands in it.
  private static func tokens(of bytes: [UInt8]) -> [(token: Token, range: Range<Int>)] {
    var tokens: [(token: Token, range: Range<Int>)] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "'"):
        let end = end(ofQuoted: bytes, from: position, by: byte)
        tokens.append((.literal, position..<end))
        position = end
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        let mark = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
        let end = end(ofQuoted: bytes, from: position, by: mark)
        tokens.append((.name(name(Array(bytes[position..<end]), by: mark)), position..<end))
        position = end
      case UInt8(ascii: "-") where bytes[position...].starts(with: "--".utf8):
        position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
      case UInt8(ascii: "/") where bytes[position...].starts(with: "/*".utf8):
        position += 2
        while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
        position = min(position + 2, bytes.count)
      default:
        let end = bytes[position...].firstIndex { !isWord($0) } ?? bytes.count
        if end == position {
          if byte > 0x20 { tokens.append((.mark(byte), position..<position + 1)) }
          position += 1
          continue
        }
        let isNumber = (0x30...0x39).contains(byte)
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        tokens.append((isNumber ? .literal : .name(word), position..<end))
        position = end
      }
    }
    return tokens
  }

  /// Letters, digits, `_`, `$` and all that is not ASCII, as SQLite has it.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: byte >= 0x80
    }
  }

  /// Where a quoted piece ends, behind its last mark; a doubled mark is part of it.
  private static func end(ofQuoted bytes: [UInt8], from start: Int, by mark: UInt8) -> Int {
    var position = start + 1
    while position < bytes.count {
      if bytes[position] == mark {
        let isDoubled =
          mark != UInt8(ascii: "]") && position + 1 < bytes.count && bytes[position + 1] == mark
        if !isDoubled { return position + 1 }
        position += 1
      }
      position += 1
    }
    return bytes.count
  }

  private static func name(_ quoted: [UInt8], by mark: UInt8) -> String {
    var inner: [UInt8] = []
    var wasMark = false
    for byte in quoted.dropFirst().dropLast() {
      if byte == mark, !wasMark {
        wasMark = true
        continue
      }
      wasMark = false
      inner.append(byte)
    }
    return String(decoding: inner, as: UTF8.self)
  }

  /// The names behind the first parenthesis of a text, folded: for a CREATE INDEX, all that the
  /// index reads.
  static func namesInside(_ sql: String) -> Set<String> {
    let tokens = tokens(sql)
    guard let start = tokens.firstIndex(of: .mark(UInt8(ascii: "("))) else { return [] }
    return names(tokens[start...])
  }

  /// The names in a column's part of a CREATE TABLE, folded: for a generated column, all that its
  /// value is computed from.
  static func namesInDefinition(of column: String, in sql: String) -> Set<String> {
    let tokens = tokens(of: Array(sql.utf8))
    guard let range = definition(of: column, in: tokens) else { return [] }
    return names(tokens[range].dropFirst().map(\.token)[...])
  }

  /// A column's part of a CREATE TABLE, word for word.
  static func definition(of column: String, in sql: String) -> String? {
    let bytes = Array(sql.utf8)
    let tokens = tokens(of: bytes)
    guard let range = definition(of: column, in: tokens), let last = tokens[range].last else {
      return nil
    }
    let text = bytes[tokens[range.lowerBound].range.lowerBound..<last.range.upperBound]
    return String(decoding: text, as: UTF8.self)
  }

  private static func definition(
    of column: String, in tokens: [(token: Token, range: Range<Int>)]
  ) -> Range<Int>? {
    let (opening, closing) = (Token.mark(UInt8(ascii: "(")), Token.mark(UInt8(ascii: ")")))
    guard let start = tokens.firstIndex(where: { $0.token == opening }) else { return nil }
    var depth = 0
    var first = start + 1
    for index in tokens.indices[start...] {
      let token = tokens[index].token
      if token == opening { depth += 1 }
      if token == closing { depth -= 1 }
      guard depth == 0 || (depth == 1 && token == .mark(UInt8(ascii: ","))) else { continue }
      if first < index, case .name(let name) = tokens[first].token,
        folded(name) == folded(column)
      {
        return first..<index
      }
      first = index + 1
      if depth == 0 { return nil }
    }
    return nil
  }

  private static func names(_ tokens: ArraySlice<Token>) -> Set<String> {
    Set(tokens.compactMap { if case .name(let name) = $0 { folded(name) } else { nil } })
  }
}
