internal import SeedSQLite

/// Finds the rows of a table that stand in the way of a snapshot's: all, where SQLite names one.
///
/// For a transaction that failed already. Looks at the tables and not at what the merge has done so
/// far: a row is in the way if the snapshot lacks its key and the merge is not to delete it.
struct ConflictSearch {
  let layout: TableLayout
  let source: TableLayout
  /// The condition for a row that the snapshot lacks to be deleted; each is without one.
  let removable: String?
  let connection: Connection

  /// - Returns: At most so many conflicts; those of an index over expressions, with a condition or
  ///   with columns that the snapshot does not bring are not found.
  func conflicts(limit: Int) throws(SQLiteError) -> [UniqueConflict] {
    // Without a condition the merge deletes all that the snapshot lacks.
    guard let removable else { return [] }
    var found: [UniqueConflict] = []
    for columns in try comparableColumns() where found.count < limit {
      let statement = try connection.prepare(query(columns, removable))
      while found.count < limit, try statement.step() {
        found.append(
          UniqueConflict(
            table: layout.name, present: statement.text(0), brought: statement.text(1),
            columns: columns.map(\.column.name), values: statement.text(2)))
      }
    }
    return found
  }

  /// The columns of each UNIQUE index that can be compared with the snapshot's.
  private func comparableColumns() throws(SQLiteError) -> [[UniqueIndex.Part]] {
    let reader: [LayoutReader.Index]
    do throws(MergeError) {
      reader = try LayoutReader(connection, schema: layout.schema).uniqueIndexes(of: layout.name)
    } catch {
      guard let cause = error.sqlite else { return [] }
      throw cause
    }
    let keyNames = layout.key.map { SQLNames.folded($0.name) }
    return reader.compactMap { index in
      guard !index.isPartial, !index.isOver(keyNames) else { return nil }
      let parts = index.parts.compactMap { part in
        source.columns.first { SQLNames.folded($0.name) == part.name }.map {
          UniqueIndex.Part(column: $0, collation: part.collation)
        }
      }
      return parts.count == index.parts.count ? parts : nil
    }
  }

  private func query(_ parts: [UniqueIndex.Part], _ removable: String) -> String {
    let equal = parts.map { part in
      "t.\(part.column.sql) = s.\(part.column.sql) COLLATE \(SQLText.quoted(part.collation))"
    }
    return """
      SELECT \(told(layout.key, "t")), \(told(layout.key, "s")),
      \(SQLLiteral.shown(parts.map { "s.\($0.column.sql)" }))
      FROM \(source.sql) AS s JOIN \(layout.sql) AS t ON \(equal.joined(separator: " AND "))
      WHERE \(layout.keyValue(of: "t")) NOT IN
      (SELECT \(SQLText.list(layout.key)) FROM \(source.sql))
      AND NOT coalesce((\(removable)), 0)
      ORDER BY \(SQLText.list(layout.key, of: "s"))
      """
  }

  /// An expression for a row's key: `4`, or `'a', 7`.
  private func told(_ key: [LayoutColumn], _ table: String) -> String {
    SQLLiteral.shown(key.map { "\(table).\($0.sql)" })
  }
}
