package import SeedModel

/// Something that `seed verify` finds wrong with a database.
package struct Finding: Sendable, Hashable {
  /// The kind of finding, under a name for programs that does not change between versions.
  package enum Code: String, Sendable {
    case notADatabase = "not-a-database"
    case damagedHeader = "damaged-header"
    case truncated
    case trailingBytes = "trailing-bytes"
    case walMode = "wal-mode"
    case walFile = "wal-file"
    case journalFile = "journal-file"
    case unreadable
    case integrity
    case foreignKey = "foreign-key"
    case foreignKeyDefinition = "foreign-key-definition"
    case stampMissing = "stamp-missing"
    case stampMalformed = "stamp-malformed"
    case contentChanged = "content-changed"
  }

  /// The kind of finding.
  package var code: Code
  /// What is wrong and where.
  package var message: String
  /// What to do, as an imperative sentence.
  package var hint: String
  /// The table concerned, if it is about one.
  package var table: String?
  /// The row concerned, if it is about one of a table with rowids.
  package var rowID: Int64?
  /// The table that a foreign key refers to.
  package var parentTable: String?

  /// Creates a finding about the whole file.
  init(_ code: Code, _ message: String, hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The finding for programs.
  package var json: JSONValue {
    [
      "code": .string(code.rawValue),
      "message": .string(message),
      "hint": .string(hint),
      "table": .string(table),
      "rowid": .integer(rowID),
      "parent": .string(parentTable),
    ]
  }
}
