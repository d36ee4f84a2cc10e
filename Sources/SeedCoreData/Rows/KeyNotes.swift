internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Natural keys that stand for objects, until all objects are there.
final class KeyNotes {
  /// One natural key.
  struct Note {
    /// The rule, by number.
    var rule: Int
    /// The key of the object that refers.
    var owner: Int64
    /// Its entity, by number.
    var entity: Int
    /// The natural key as it is stored.
    var value: SQLiteValue
    /// The natural key as it is written.
    var text: String
    var document: Int
    var line: Int
  }

  static let table = "temp._seed_keys"
  private let insert: Statement
  private(set) var isEmpty = true

  init(_ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE \(Self.table) (rule INTEGER, owner INTEGER, entity INTEGER, value, text TEXT,
        document INTEGER, line INTEGER)
      """)
    insert = try connection.prepare("INSERT INTO \(Self.table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
  }

  func note(_ note: Note) throws(SQLiteError) {
    isEmpty = false
    insert.bindInteger(1, Int64(note.rule))
    insert.bindInteger(2, note.owner)
    insert.bindInteger(3, Int64(note.entity))
    try insert.bind(4, note.value)
    try insert.bindText(5, note.text)
    insert.bindInteger(6, Int64(note.document))
    insert.bindInteger(7, Int64(note.line))
    try insert.run()
  }
}
