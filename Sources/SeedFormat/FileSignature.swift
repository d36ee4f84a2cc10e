/// What a file that is no database looks like, judged by its first bytes.
package enum FileSignature: Sendable, Hashable, CaseIterable {
  case empty, zeros, truncatedDatabase, oldDatabase, writeAheadLog, rollbackJournal
  case gzip, zip, xml, json, propertyList, sql, text, unknown

  /// Judges a file by its beginning, of which a few hundred bytes are enough.
  package init(_ bytes: [UInt8]) {
    let known: [(FileSignature, [UInt8])] = [
      (.truncatedDatabase, DatabaseHeader.magic),
      (.oldDatabase, Array("** This file contains an SQLite 2".utf8)),
      (.writeAheadLog, [0x37, 0x7F, 0x06, 0x82]),
      (.writeAheadLog, [0x37, 0x7F, 0x06, 0x83]),
      (.rollbackJournal, [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]),
      (.gzip, [0x1F, 0x8B]),
      (.zip, Array("PK\u{3}\u{4}".utf8)),
      (.propertyList, Array("bplist".utf8)),
    ]
    if bytes.isEmpty {
      self = .empty
    } else if bytes.allSatisfy({ $0 == 0 }) {
      self = .zeros
    } else if let match = known.first(where: { bytes.starts(with: $0.1) }) {
      self = match.0
    } else if let text = Self.text(of: bytes) {
      self = Self.kind(of: text)
    } else {
      self = Self.isOldText(bytes) ? .text : .unknown
    }
  }

  /// Whether bytes are text in an encoding of one byte a letter, such as Latin 1: mostly ASCII, and no
  /// control characters, of which other data have some.
  private static func isOldText(_ bytes: [UInt8]) -> Bool {
    !bytes.contains(where: isControl) && 4 * bytes.count { $0 < 0x80 } >= 3 * bytes.count
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(0x09...0x0D).contains(byte)
  }

  /// The bytes as text, if they are text in UTF-8 or in UTF-16 with a byte order mark.
  private static func text(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      // Enough to tell markup from prose: every other byte of Latin text is zero.
      return String(decoding: bytes.dropFirst(2).filter { $0 != 0 }, as: UTF8.self)
    }
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let content = isMarked ? bytes.dropFirst(3) : bytes[...]
    guard !content.contains(where: isControl) else { return nil }
    let text = String(decoding: content, as: UTF8.self)
    // The last character may be cut in two; damage elsewhere means that this is not UTF-8.
    return text.unicodeScalars.dropLast(3).contains("\u{FFFD}") ? nil : text
  }

  private static func kind(of text: String) -> FileSignature {
    let start = text.drop { $0.isWhitespace }
    switch start.first {
    case "<": return .xml
    case "{", "[": return .json
    default: break
    }
    let word = start.prefix { $0.isLetter }.uppercased()
    return ["PRAGMA", "BEGIN", "CREATE", "INSERT"].contains(word) ? .sql : .text
  }

  /// What the file looks like, to follow "it looks like".
  package var name: String {
    switch self {
    case .empty: "an empty file"
    case .zeros: "a file of zeros only"
    case .truncatedDatabase: "the beginning of one that was cut off"
    case .oldDatabase: "a database of SQLite 2"
    case .writeAheadLog: "the write-ahead log of a database"
    case .rollbackJournal: "the rollback journal of a database"
    case .gzip: "gzip data"
    case .zip: "a zip archive"
    case .xml: "XML"
    case .json: "JSON"
    case .propertyList: "a binary property list"
    case .sql: "SQL text"
    case .text: "plain text"
    case .unknown: "encrypted or unknown data"
    }
  }

  /// What to do about it, as an imperative sentence.
  package var advice: String {
    switch self {
    case .empty, .zeros, .truncatedDatabase: "build or copy the database again"
    case .oldDatabase: "convert it with the \"sqlite\" shell of version 2"
    case .writeAheadLog, .rollbackJournal: "give the database file, without the suffix"
    case .gzip, .zip: "decompress it first"
    case .xml: "build a database from it with \"seed build\""
    case .sql: "load it into a database with the \"sqlite3\" shell"
    case .json, .propertyList, .text: "give the path of an SQLite database"
    case .unknown: "give the path of an SQLite database; decrypt it first if it is encrypted"
    }
  }
}
