internal import SeedMerge
internal import SeedModel
package import SeedSQLite
internal import SeedStreams

extension StreamLint {
  /// The columns that a stream does not carry and that a row it adds would have to have.
  ///
  /// Rows that are there are updated all the same; the first new one stops each app.
  ///
  /// - Parameter connection: The database.
  /// - Returns: The findings; none in a database without streams.
  /// - Throws: ``SQLiteError``.
  package static func uncarriedColumns(
    in connection: Connection
  ) throws(SQLiteError) -> [StreamFinding] {
    var tables: [DeclaredTable] = []
    do throws(CursorError) {
      for stream in Set(try CursorTables.declarations(in: connection).map(\.stream)).sorted() {
        tables += try CursorTables.tables(of: stream, in: connection)
      }
    } catch {
      // What cannot be read of a declaration is told where it is needed.
      guard case .database(let cause) = error else { return [] }
      throw cause
    }
    var findings: [StreamFinding] = []
    for table in tables { findings += try uncarriedColumns(of: table, in: connection) }
    return findings
  }

  private static func uncarriedColumns(
    of table: DeclaredTable, in connection: Connection
  ) throws(SQLiteError) -> [StreamFinding] {
    // An INTEGER PRIMARY KEY that is left out gets the next number.
    let rows = try connection.rows(
      """
      SELECT c.name FROM pragma_table_xinfo(?1) AS c
      WHERE c.hidden = 0 AND c."notnull" = 1 AND coalesce(upper(c.dflt_value), 'NULL') = 'NULL'
      AND NOT (c.pk = 1 AND upper(c.type) = 'INTEGER'
        AND (SELECT max(pk) FROM pragma_table_xinfo(?1)) = 1)
      ORDER BY c.cid
      """, .text(table.name))
    let carried = Set(table.columns.map { $0.lowercased() })
    return rows.compactMap { row in
      guard case .text(let name)? = row.first, !carried.contains(name.lowercased()) else {
        return nil
      }
      return StreamFinding(
        kind: .schema, severity: .warning,
        message: "the stream does not carry column \"\(name)\" of table \"\(table.name)\", "
          + "which is NOT NULL without a DEFAULT: a row that the stream adds stops every app",
        hint: "have the stream carry the column, or declare a DEFAULT or let it take NULL",
        table: table.name)
    }
  }
}
