internal import SeedSQLite

/// Natural keys that stand for objects, until all objects are there.
enum KeyNotes {
  static let table = "temp._seed_keys"
  /// The rule, by number; the key and the entity of the object that refers; the natural key as it is
  /// stored and as it is written; the place.
  static let columns = ["rule", "owner", "entity", "value", "text", "document", "line"]

  static func createTable(_ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE \(table) (rule INTEGER, owner INTEGER, entity INTEGER, value, text TEXT,
        document INTEGER, line INTEGER)
      """)
  }
}
