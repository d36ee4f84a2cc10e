internal import SeedMerge
internal import SeedSQLite

/// What was set for a full-text table of FTS5 beyond its definition, such as how it ranks.
///
/// It lies in the table `_config` beside it, which a new table begins without.
internal struct SearchOptions: Sendable, Equatable {
  private var values: [String: String] = [:]

  internal init() {}

  /// From a note: names and values by turns.
  internal init(_ texts: ArraySlice<String>) {
    var rest = texts
    while let name = rest.popFirst(), let value = rest.popFirst() { values[name] = value }
  }

  /// As ``init(_:)`` reads it, by name.
  internal var texts: [String] { values.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } }

  internal var isEmpty: Bool { values.isEmpty }

  /// Reads those of a table of the main database; none for a table of another kind.
  internal static func read(
    of name: String, sql: String, on connection: Connection
  ) throws(SQLiteError) -> SearchOptions {
    var options = SearchOptions()
    let shadow = try connection.scalarText(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'shadow' AND name = ? COLLATE NOCASE
      """, .text(name + "_config"))
    guard SchemaText.fullTextModule(in: sql) == "fts5", let shadow else { return options }
    // The version of its layout is for SQLite to write.
    let rows = try connection.rows(
      """
      SELECT k, CAST(v AS TEXT) FROM main.\(SQLiteName.quoted(shadow))
      WHERE k <> 'version' AND v IS NOT NULL
      """)
    for row in rows {
      if case .text(let option) = row[0], case .text(let value) = row[1] {
        options.values[option] = value
      }
    }
    return options
  }

  /// Sets them for a table of the main database.
  internal func set(for table: String, on connection: Connection) throws(SQLiteError) {
    let name = SQLiteName.quoted(table)
    let statement = try connection.prepare("INSERT INTO main.\(name)(\(name), rank) VALUES (?, ?)")
    for (option, text) in values.sorted(by: { $0.key < $1.key }) {
      try statement.bind(1, .text(option))
      try statement.bind(2, Int64(text).map { .integer($0) } ?? .text(text))
      try statement.run()
    }
  }
}
