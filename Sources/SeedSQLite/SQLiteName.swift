internal import CSQLite

/// Table and column names as SQL writes them.
package enum SQLiteName {
  /// The name in double quotes, whatever it is: `a"b` becomes `"a""b"`.
  package static func quoted(_ name: String) -> String {
    SQLiteText.enclosed(name, in: "\"")
  }

  /// The name as it is if it is a plain ASCII identifier and no keyword, else in double quotes.
  package static func quotedIfNeeded(_ name: String) -> String {
    isPlain(name) ? name : quoted(name)
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    guard name.utf8.allSatisfy({ isDigit($0) || isLetter($0) }) else { return false }
    return name.withCString { sqlite3_keyword_check($0, Int32(name.utf8.count)) } == 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}
