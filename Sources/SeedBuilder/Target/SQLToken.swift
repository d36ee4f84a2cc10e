/// A token of SQL text: as much of SQLite's grammar as is needed to find names in a statement.
struct SQLToken: Equatable {
  /// What a token is.
  enum Kind {
    /// A name or a keyword, bare or in `"…"`, `[…]` or `` `…` ``.
    case name
    /// A text in single quotes.
    case text
    case number
    /// Any other character.
    case symbol
  }

  var kind: Kind
  /// The token without its quotes.
  var value: String
  /// Where it stands in the SQL, in UTF-8 bytes.
  var range: Range<Int>
  /// Whether a name stands in quotes, and so is no keyword.
  var isQuoted = false

  /// Whether this is the given keyword or symbol.
  func matches(_ text: String) -> Bool {
    !isQuoted && kind != .text && value.uppercased() == text
  }

  /// The tokens of SQL text, without blanks and comments (sqlite.org/c3ref/complete.html and
  /// sqlite.org/lang_comment.html).
  static func tokens(of sql: String) -> [SQLToken] {
    var scanner = SQLTokenScanner(sql)
    var result: [SQLToken] = []
    while let token = scanner.next() { result.append(token) }
    return result
  }
}

/// Goes over SQL text from token to token.
private struct SQLTokenScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ sql: String) {
    bytes = Array(sql.utf8)
  }

  mutating func next() -> SQLToken? {
    skipBlanksAndComments()
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "'"): return quoted(until: byte, as: .text)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(until: byte, as: .name)
    case UInt8(ascii: "["): return quoted(until: UInt8(ascii: "]"), as: .name)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return run(as: .number) { Self.isWord($0) || $0 == 0x2E }
    case _ where Self.isWord(byte): return run(as: .name, while: Self.isWord)
    default:
      index += 1
      return token(.symbol, from: index - 1)
    }
  }

  private mutating func skipBlanksAndComments() {
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) {
        index += 1
      } else if bytes[index] == UInt8(ascii: "-"), next == UInt8(ascii: "-") {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      } else if bytes[index] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        index += 2
        while index < bytes.count,
          !(bytes[index] == UInt8(ascii: "/") && bytes[index - 1] == UInt8(ascii: "*"))
        {
          index += 1
        }
        index = min(index + 1, bytes.count)
      } else {
        return
      }
    }
  }

  private mutating func quoted(until end: UInt8, as kind: SQLToken.Kind) -> SQLToken {
    let start = index
    var value: [UInt8] = []
    index += 1
    while index < bytes.count {
      if bytes[index] == end {
        // A doubled quote stands for itself, but in brackets.
        let isDoubled =
          end != UInt8(ascii: "]") && index + 1 < bytes.count && bytes[index + 1] == end
        index += isDoubled ? 2 : 1
        if !isDoubled { break }
        value.append(end)
      } else {
        value.append(bytes[index])
        index += 1
      }
    }
    return SQLToken(
      kind: kind, value: String(decoding: value, as: UTF8.self), range: start..<index,
      isQuoted: kind == .name)
  }

  private mutating func run(as kind: SQLToken.Kind, while isPart: (UInt8) -> Bool) -> SQLToken {
    let start = index
    while index < bytes.count, isPart(bytes[index]) { index += 1 }
    return token(kind, from: start)
  }

  private func token(_ kind: SQLToken.Kind, from start: Int) -> SQLToken {
    SQLToken(
      kind: kind, value: String(decoding: bytes[start..<index], as: UTF8.self),
      range: start..<index)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
