internal import SeedSQLite

/// The rows of other tables that foreign keys change with a row that is parked.
///
/// A parked row loses a unique value for a while. What refers to that value and follows by ON UPDATE
/// is to end as if all values had changed at once: rows that refer to a value which is the same in
/// the end, or which another row gets in place of one that goes, keep it.
final class FollowingRows {
  /// A foreign key that refers to a column that is parked.
  struct Reference {
    let child: String
    /// The columns of the child and those that they refer to.
    let columns: [(child: String, parent: LayoutColumn)]
    let action: String
    /// The columns by which a row of the child is addressed.
    let address: [String]

    var follows: Bool { action == "CASCADE" }
    var isLost: Bool { action == "SET NULL" || action == "SET DEFAULT" }
    var parentNames: [String] { columns.map(\.parent.name) }
  }

  let references: [Reference]
  private let layout: TableLayout
  private let number: Int
  private let connection: Connection

  init(
    _ layout: TableLayout, parked: [LayoutColumn], number: Int, _ connection: Connection
  ) throws(SQLiteError) {
    self.layout = layout
    self.number = number
    self.connection = connection
    guard parked.contains(where: \.isReferenced) else {
      references = []
      return
    }
    let names = Set(parked.map(\.name))
    references = try InboundKeys(layout, connection).references.filter { reference in
      reference.parentNames.contains { names.contains($0) }
    }
  }

  private func table(_ index: Int) -> String { "temp.\"_seed_following_\(number)_\(index)\"" }

  /// Keeps the values of rows that would lose them for good, just before rows are parked.
  ///
  /// - Parameters:
  ///   - rows: The condition for a row, `t`, to be parked.
  ///   - source: The table in the snapshot, for rows that stay; nil for rows that go.
  /// - Throws: ``SQLiteError``.
  func keep(_ rows: String, _ source: TableLayout?) throws(SQLiteError) {
    for (index, reference) in references.enumerated() where reference.isLost {
      let child = "main.\(SQLText.quoted(reference.child))"
      let address = reference.address.enumerated().map { "c.\($1) AS \"a\($0)\"" }
      let values = reference.columns.enumerated().map { index, column in
        "c.\(SQLText.quoted(column.child)) AS \"v\(index)\""
      }
      let refers = reference.columns.map { "t.\($0.parent.sql) = c.\(SQLText.quoted($0.child))" }
      let written = Set(layout.columns.map(\.name))
      var (join, same) = ("", "")
      if let source {
        join = "JOIN \(source.sql) AS s ON \(layout.keyEquals("t", "s"))"
        same = reference.columns.map(\.parent).filter { written.contains($0.name) }
          .map { " AND t.\($0.sql) IS s.\($0.sql)" }.joined()
      }
      try connection.execute(
        """
        CREATE TABLE \(table(index)) AS SELECT DISTINCT \((address + values).joined(separator: ","))
        FROM \(layout.sql) AS t \(join) JOIN \(child) AS c ON \(refers.joined(separator: " AND "))
        WHERE \(rows)\(same)
        """)
    }
  }

  /// Gives the rows back what was kept.
  ///
  /// - Throws: ``MergeError`` where not all of them take it.
  func restore() throws(MergeError) {
    for (index, reference) in references.enumerated() where reference.isLost {
      let kept = table(index)
      let values = reference.columns.enumerated().map { index, column in
        "\(SQLText.quoted(column.child)) = k.\"v\(index)\""
      }
      let addressed = reference.address.enumerated().map { "c.\($1) = k.\"a\($0)\"" }
      let isComplete = try MergeError.at(reference.child) { () throws(SQLiteError) in
        let count = try connection.scalarInteger("SELECT count(*) FROM \(kept)") ?? 0
        if count > 0 {
          try connection.prepare(
            """
            UPDATE main.\(SQLText.quoted(reference.child)) AS c
            SET \(values.joined(separator: ", ")) FROM \(kept) AS k
            WHERE \(addressed.joined(separator: " AND "))
            """
          ).run()
        }
        let isComplete = count == 0 || connection.changes == count
        try connection.execute("DROP TABLE \(kept)")
        return isComplete
      }
      guard isComplete else {
        throw MergeError(
          .referenceNotKept(
            columns: reference.columns.map(\.child), parent: layout.name, action: reference.action),
          table: reference.child)
      }
    }
  }

  /// Has what followed rows that are about to go refer to the rows that have their values now.
  ///
  /// - Parameters:
  ///   - old: A table with the keys of the rows and the values that they had.
  ///   - value: The name of a column's old value there.
  ///   - going: The condition for a row, `t`, to go.
  /// - Throws: ``SQLiteError``.
  func handOver(
    from old: String, value: (LayoutColumn) -> String?, going: String
  ) throws(SQLiteError) {
    for reference in references where reference.follows {
      let before = reference.columns.map { column in
        value(column.parent).map { "w.\($0)" } ?? "t.\(column.parent.sql)"
      }
      let set = zip(reference.columns, before).map { "\(SQLText.quoted($0.child)) = \($1)" }
      let refers = reference.columns.map { "t.\($0.parent.sql) = c.\(SQLText.quoted($0.child))" }
      let isParked = zip(reference.columns, before).map { "t.\($0.parent.sql) IS NOT \($1)" }
      try connection.prepare(
        """
        UPDATE main.\(SQLText.quoted(reference.child)) AS c SET \(set.joined(separator: ", "))
        FROM \(old) AS w CROSS JOIN \(layout.sql) AS t ON \(layout.keyEquals("t", "w"))
        WHERE \(going) AND \(refers.joined(separator: " AND "))
        AND (\(isParked.joined(separator: " OR ")))
        """
      ).run()
    }
  }
}
