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

  /// The tokens of a text, without spaces and comments.
  static func tokens(_ sql: String) -> [Token] {
    var tokens: [Token] = []
    let bytes = Array(sql.utf8)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "'"):
        position = end(ofQuoted: bytes, from: position, by: byte)
        tokens.append(.literal)
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        let mark = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
        let end = end(ofQuoted: bytes, from: position, by: mark)
        tokens.append(.name(name(Array(bytes[position..<end]), by: mark)))
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
          if byte > 0x20 { tokens.append(.mark(byte)) }
          position += 1
          continue
        }
        let isNumber = (0x30...0x39).contains(byte)
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        tokens.append(isNumber ? .literal : .name(word))
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
    let tokens = tokens(sql)
    guard let start = tokens.firstIndex(of: .mark(UInt8(ascii: "("))) else { return [] }
    var depth = 0
    var first = start + 1
    for index in tokens.indices[start...] {
      let token = tokens[index]
      if token == .mark(UInt8(ascii: "(")) { depth += 1 }
      if token == .mark(UInt8(ascii: ")")) { depth -= 1 }
      let isEnd = depth == 0 || (depth == 1 && token == .mark(UInt8(ascii: ",")))
      guard isEnd else { continue }
      if first < index, case .name(let name) = tokens[first], folded(name) == folded(column) {
        return names(tokens[(first + 1)..<index])
      }
      first = index + 1
      if depth == 0 { return [] }
    }
    return []
  }

  private static func names(_ tokens: ArraySlice<Token>) -> Set<String> {
    Set(tokens.compactMap { if case .name(let name) = $0 { folded(name) } else { nil } })
  }
}
