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
    case missingPart = "missing-part"
    case untrustedFunction = "untrusted-function"
    case foreignKey = "foreign-key"
    case foreignKeyDefinition = "foreign-key-definition"
    case stampMissing = "stamp-missing"
    case stampMalformed = "stamp-malformed"
    case contentChanged = "content-changed"
    // Streams
    case streamPosition = "stream-position"
    case streamHistory = "stream-history"
    case streamSchema = "stream-schema"
    case streamObject = "stream-object"
    case streamSignature = "stream-signature"
    case streamForeignKey = "stream-foreign-key"
    case streamCascade = "stream-cascade"
    // Core Data stores
    case storeMetadata = "store-metadata"
    case storeHashes = "store-hashes"
    case storeEntities = "store-entities"
    case storeTables = "store-tables"
    case storeHighestKey = "store-z-max"
    case storeEntityMissing = "store-z-ent-missing"
    case storeEntityWrong = "store-z-ent-wrong"
    case storeReference = "store-reference"
    case storeReferenceEntity = "store-reference-entity"
    case storeJoin = "store-join"
    case storeOrder = "store-order"
    case storeUnique = "store-unique"
    case storeRequired = "store-required"
    case storeValue = "store-value"
    case storePattern = "store-pattern"
    case storeDate = "store-date"
    case storeHistory = "store-history"
    case storeFile = "store-file"
  }

  /// The kind of finding.
  package var code: Code
  /// How grave it is; a note is true and no fault.
  package var severity: Diagnostic.Severity
  /// What is wrong and where.
  package var message: String
  /// What to do, as an imperative sentence.
  package var hint: String
  /// The table concerned, if it is about one.
  package var table: String?
  /// The row concerned, if it is about one of a table with rowids; in a Core Data store its `Z_PK`.
  package var rowID: Int64?
  /// The table that a foreign key refers to.
  package var parentTable: String?

  /// Creates an error about the whole file.
  package init(_ code: Code, _ message: String, hint: String) {
    self.init(code, .error, message, hint: hint)
  }

  /// Creates a finding about the whole file.
  package init(
    _ code: Code, _ severity: Diagnostic.Severity, _ message: String, hint: String
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.hint = hint
  }

  /// The finding for programs.
  package var json: JSONValue {
    [
      "code": .string(code.rawValue),
      "severity": .string(severity.rawValue),
      "message": .string(message),
      "hint": .string(hint),
      "table": .string(table),
      "rowid": .integer(rowID),
      "parent": .string(parentTable),
    ]
  }
}
