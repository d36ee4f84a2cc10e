import SeedSQLite

/// The SQL that defines a view or a trigger.
package struct SchemaDefinition: Sendable, Hashable {
  /// What is defined.
  package enum Kind: String, Sendable {
    case view
    case trigger
  }

  /// What is defined.
  package var kind: Kind
  /// The name of the view or trigger.
  package var name: String
  /// The table or view that a trigger belongs to; a view's own name.
  package var table: String
  /// The statement, or its beginning.
  package var sql: String
  /// Whether there is more of the statement.
  package var isCut: Bool

  /// Creates a definition.
  package init(kind: Kind, name: String, table: String, sql: String, isCut: Bool = false) {
    self.kind = kind
    self.name = name
    self.table = table
    self.sql = sql
    self.isCut = isCut
  }

  /// The most characters of a statement that are read.
  private static let characterLimit = 4000

  /// The definitions in a database: the views by name, then the triggers by name.
  ///
  /// - Throws: ``SQLiteError`` when the schema cannot be read.
  static func all(in connection: Connection) throws(SQLiteError) -> [SchemaDefinition] {
    let statement = try connection.prepare(
      """
      SELECT type, name, tbl_name, substr(sql, 1, ?1), length(sql) > ?1 FROM sqlite_schema
      WHERE type IN ('view', 'trigger') ORDER BY type = 'trigger', name
      """)
    try statement.bind(1, .integer(Int64(characterLimit)))
    var definitions: [SchemaDefinition] = []
    while try statement.step() {
      definitions.append(
        SchemaDefinition(
          kind: Kind(rawValue: statement.text(0)) ?? .view, name: statement.text(1),
          table: statement.text(2), sql: statement.text(3), isCut: statement.integer(4) != 0))
    }
    return definitions
  }
}
