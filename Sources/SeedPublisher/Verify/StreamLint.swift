internal import SeedModel
package import SeedSQLite
internal import SeedStreams

/// What of an app's own tables gets in the way of the streams of its database.
package enum StreamLint {
  /// The foreign keys from tables of the app to those of streams that deserve a word.
  ///
  /// - Parameter connection: The database.
  /// - Returns: The findings; none in a database without streams.
  /// - Throws: ``SQLiteError``.
  package static func findings(in connection: Connection) throws(SQLiteError) -> [StreamFinding] {
    let declared: [(stream: String, table: String)]
    do throws(CursorError) {
      declared = try CursorTables.declarations(in: connection)
    } catch {
      guard case .database(let cause) = error else { return [] }
      throw cause
    }
    guard !declared.isEmpty else { return [] }
    let streamed = Dictionary(
      declared.map { ($0.table.lowercased(), $0.stream) }, uniquingKeysWith: { first, _ in first })
    let statement = try connection.prepare(
      """
      SELECT DISTINCT t.name, f."table", upper(f.on_delete)
      FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS f
      WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, f."table"
      """)
    var findings: [StreamFinding] = []
    while try statement.step() {
      let (child, parent) = (statement.text(0), statement.text(1))
      guard streamed[child.lowercased()] == nil, let stream = streamed[parent.lowercased()] else {
        continue
      }
      switch statement.text(2) {
      case "CASCADE":
        guard try movesUniqueValues(parent, of: stream, in: connection) else { continue }
        findings.append(cascade(child, parent))
      case "SET NULL", "SET DEFAULT": continue
      default: findings.append(noAction(child, parent))
      }
    }
    return findings
  }

  private static func noAction(_ child: String, _ parent: String) -> StreamFinding {
    StreamFinding(
      kind: .foreignKey, severity: .warning,
      message: "once the stream deletes a row of \"\(parent)\" to which table \"\(child)\" refers, "
        + "the stream stops until the app removes its row",
      hint: "leave the foreign key out, or declare it ON DELETE CASCADE or SET NULL",
      table: child, parentTable: parent)
  }

  private static func cascade(_ child: String, _ parent: String) -> StreamFinding {
    StreamFinding(
      kind: .cascade, severity: .warning,
      message: "unique values of \"\(parent)\" can move from row to row: a client that deletes "
        + "such rows and inserts them again deletes those of \"\(child)\" with them",
      hint: "leave the foreign key out, or have none but this library's clients apply the stream",
      table: child, parentTable: parent)
  }

  /// Whether a table has a UNIQUE index besides its key.
  private static func movesUniqueValues(
    _ table: String, of stream: String, in connection: Connection
  ) throws(SQLiteError) -> Bool {
    do throws(PublishedTableError) {
      return try PublishedTables.tables(of: stream, in: connection)
        .contains { $0.table.name.lowercased() == table.lowercased() && !$0.uniqueIndexes.isEmpty }
    } catch {
      if case .cursor(.database(let cause)) = error { throw cause }
      // What the stream declares is not there: that is another finding's matter.
      return false
    }
  }
}
