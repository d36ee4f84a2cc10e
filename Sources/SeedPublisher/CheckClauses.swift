/// Finds the CHECK constraints in the SQL that made a table.
enum CheckClauses {
  /// The expressions with their parentheses, in their order.
  static func texts(in sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    var found: [String] = []
    var index = 0
    var isExpected = false
    while index < bytes.count {
      let start = index
      index = end(ofTokenAt: start, in: bytes)
      let token = bytes[start..<index]
      if token.elementsEqual([UInt8(ascii: "(")]), isExpected {
        index = end(ofGroupAt: start, in: bytes)
        found.append(String(decoding: bytes[start..<index], as: UTF8.self))
        isExpected = false
      } else if isWord(bytes[start]) {
        isExpected = String(decoding: token, as: UTF8.self).lowercased() == "check"
      } else if !isPassedOver(token) {
        isExpected = false
      }
    }
    return found
  }

  private static func end(ofGroupAt start: Int, in bytes: [UInt8]) -> Int {
    var depth = 0
    var index = start
    while index < bytes.count {
      let token = index
      index = end(ofTokenAt: token, in: bytes)
      if bytes[token] == UInt8(ascii: "(") { depth += 1 }
      if bytes[token] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return index
  }

  /// Behind a word, a quoted text, a comment or any other byte.
  private static func end(ofTokenAt start: Int, in bytes: [UInt8]) -> Int {
    let byte = bytes[start]
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      // A doubled quote ends one text and begins another, which comes to the same here.
      return (bytes[(start + 1)...].firstIndex(of: byte) ?? bytes.count - 1) + 1
    case UInt8(ascii: "["):
      return (bytes[start...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.count - 1) + 1
    case UInt8(ascii: "-") where next == byte:
      return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      var index = start + 2
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == byte { return index + 2 }
        index += 1
      }
      return bytes.count
    case _ where isWord(byte):
      return bytes[start...].firstIndex { !isWord($0) } ?? bytes.count
    default: return start + 1
    }
  }

  /// Whether it is a space or a comment.
  private static func isPassedOver(_ token: ArraySlice<UInt8>) -> Bool {
    guard let first = token.first else { return true }
    return first <= 32 || token.starts(with: "--".utf8) || token.starts(with: "/*".utf8)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 128...:
      true
    default: false
    }
  }
}
