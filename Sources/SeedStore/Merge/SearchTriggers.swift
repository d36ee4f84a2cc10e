internal import SeedMerge
internal import SeedSQLite

/// The triggers of a database, as far as they write to a full-text table.
internal struct SearchTriggers {
  private let triggers: [(table: String, sql: String)]

  internal init(_ connection: Connection) throws(SQLiteError) {
    triggers = try connection.rows(
      "SELECT tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger'"
    ).compactMap { row in
      if case .text(let table) = row[0], case .text(let sql) = row[1] {
        (table.folded, sql)
      } else {
        nil
      }
    }
  }

  /// Whether any of them writes to a table.
  internal func write(to name: String) -> Bool {
    triggers.contains { SchemaText.writes(to: name, in: $0.sql) }
  }

  /// The events of one table at which each row is written to another one.
  internal func events(of table: String, writingTo name: String) -> Set<String> {
    Set(
      triggers.compactMap { trigger in
        guard trigger.table == table.folded, SchemaText.writes(to: name, in: trigger.sql),
          let head = SchemaText.triggerHead(in: trigger.sql), !head.isConditional
        else { return nil }
        return head.event
      })
  }
}
