/// A stream that goes on from the database.
package struct StreamRule: Sendable, Hashable {
  /// What the stream carries of a table.
  package struct Table: Sendable, Hashable {
    /// The table's name.
    package var name: Located<String>
    /// The columns that tell its rows apart; without them, the primary key.
    package var key: [Located<String>]?
    /// The columns that the stream may write besides the key's; without them, all.
    package var columns: [Located<String>]?

    /// A table, all of it unless something else is said.
    package init(
      name: Located<String>, key: [Located<String>]? = nil, columns: [Located<String>]? = nil
    ) {
      self.name = name
      self.key = key
      self.columns = columns
    }
  }

  /// The stream's name.
  package var name: String
  /// The tables that share its history.
  package var tables: [Table]
  /// The address of its source.
  package var source: String?
  /// Where the rule stands.
  package var location: SourceLocation?

  /// A stream.
  package init(
    name: String, tables: [Table], source: String? = nil, location: SourceLocation? = nil
  ) {
    self.name = name
    self.tables = tables
    self.source = source
    self.location = location
  }
}

/// What a stream may be called: its name is a folder's, and a part of an address, as it stands.
package enum StreamName {
  /// The most characters of a name.
  private static let limit = 64
  /// What a name has to be, as an imperative sentence.
  package static let hint =
    "use letters, digits, \"-\", \"_\" and \".\", at most \(limit), a letter first"

  /// Whether a stream may have a name.
  package static func isUsable(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= limit else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      isLetter(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }
}
