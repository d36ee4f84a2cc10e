internal import SeedSQLite

/// The foreign keys of a database that refer to one table.
struct InboundKeys {
  private(set) var references: [FollowingRows.Reference] = []

  init(_ layout: TableLayout, _ connection: Connection) throws(SQLiteError) {
    let rows = try connection.rows(
      """
      SELECT m.name, f.id, f."from", f."to", f.on_update FROM main.sqlite_schema AS m,
      pragma_foreign_key_list(m.name, 'main') AS f
      WHERE m.type = 'table' AND instr(lower(m.sql), 'references') > 0
      AND f."table" = ? COLLATE NOCASE ORDER BY m.name, f.id, f.seq
      """, .text(layout.name))
    let reader = ParentColumns(layout, connection)
    var open: (child: String, id: SQLiteValue)?
    for row in rows {
      guard case .text(let child) = row[0], case .text(let from) = row[2],
        case .text(let action) = row[4]
      else { continue }
      let isNext = open.map { $0.child == child && $0.id == row[1] } ?? false
      let position = isNext ? references[references.count - 1].columns.count : 0
      let name: String? = if case .text(let to) = row[3] { to } else { nil }
      guard let parent = try reader.column(name, at: position) else { continue }
      let before = isNext ? references.removeLast().columns : []
      references.append(
        FollowingRows.Reference(
          child: child, columns: before + [(from, parent)], action: action,
          address: try Self.address(of: child, connection)))
      open = (child, row[1])
    }
  }

  /// The columns by which a row is addressed, in double quotes.
  private static func address(
    of table: String, _ connection: Connection
  ) throws(SQLiteError) -> [String] {
    let columns = try connection.rows(
      "SELECT name, pk FROM pragma_table_xinfo(?, 'main') ORDER BY pk", .text(table))
    let names = Set(
      columns.compactMap { if case .text(let name) = $0[0] { SQLNames.folded(name) } else { nil } })
    let isWithoutRowID =
      try connection.scalarInteger(
        "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE",
        .text(table)) == 1
    if !isWithoutRowID,
      let name = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) })
    {
      return [name]
    }
    return columns.compactMap { row in
      if case .text(let name) = row[0], row[1] != .integer(0) { SQLText.quoted(name) } else { nil }
    }
  }
}

/// The columns of a table to which foreign keys can refer.
private struct ParentColumns {
  private let layout: TableLayout
  private let connection: Connection

  init(_ layout: TableLayout, _ connection: Connection) {
    self.layout = layout
    self.connection = connection
  }

  /// The column of a name, or without one that at a place of the primary key.
  func column(_ name: String?, at position: Int) throws(SQLiteError) -> LayoutColumn? {
    let rows = try connection.rows(
      "SELECT name, type, \"notnull\" FROM pragma_table_xinfo(?1, 'main') "
        + "WHERE CASE WHEN ?2 IS NULL THEN pk = ?3 ELSE name = ?2 COLLATE NOCASE END",
      .text(layout.name), name.map { .text($0) } ?? .null, .integer(Int64(position + 1)))
    guard case .text(let found)? = rows.first?[0] else { return nil }
    if let column = layout.columns.first(where: { $0.name == found }) { return column }
    guard case .text(let type)? = rows.first?[1] else { return nil }
    return LayoutColumn(
      name: found, affinity: Affinity(declaredType: type, isStrict: false), hasOneClass: false,
      isNullable: rows.first?[2] == .integer(0), isGenerated: false, isRowID: false,
      isReferenced: true)
  }
}
