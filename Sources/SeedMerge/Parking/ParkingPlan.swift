/// What the columns of a parked row are set to, so that its old values stand in nobody's way.
///
/// A row whose unique values another row is about to take cannot be deleted first: that would take
/// along its children, its rowid and the app's columns. So it is parked: one column of each UNIQUE
/// index gets a value that no other row has, until the row gets its new values or is deleted.
struct ParkingPlan {
  /// A column and the expression of its value.
  struct Assignment {
    let column: LayoutColumn
    let value: String
    /// Another value, where an expression makes one that is taken of the first.
    var second: String?
  }

  let assignments: [Assignment]

  /// Chooses the columns.
  init(for layout: TableLayout) {
    var chosen: [Assignment] = []
    func isChosen(_ column: LayoutColumn) -> Bool {
      chosen.contains { $0.column.name == column.name }
    }
    for index in layout.uniqueIndexes {
      switch index.parkable {
      case .nothing: break
      case .anyOf(let columns):
        guard !columns.contains(where: isChosen),
          let column = columns.min(by: { Self.cost($0) < Self.cost($1) })
        else { continue }
        chosen.append(
          Assignment(column: column, value: Self.value(column, layout, isRead: false)))
      case .allOf(let columns):
        for column in columns where !isChosen(column) {
          chosen.append(
            Assignment(
              column: column, value: Self.number(column, isRead: true),
              second: Self.value(column, layout, isRead: true)))
        }
      }
    }
    assignments = chosen
  }

  /// What another column would be better for: no row of another table follows it by ON UPDATE, and
  /// NULL, the one value of which an index takes any number, can be stored.
  private static func cost(_ column: LayoutColumn) -> Int {
    (column.isReferenced ? 8 : 0) + (column.isRowID ? 4 : 0) + (column.isNullable ? 0 : 2)
      + (column.isReferring ? 1 : 0)
  }

  /// A value that no other row has.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - layout: Its table.
  ///   - isRead: Whether the index holds an expression over the column; a number is what most
  ///     functions, those of JSON too, take without an error and do not turn into a constant.
  /// - Returns: An SQL expression.
  private static func value(
    _ column: LayoutColumn, _ layout: TableLayout, isRead: Bool
  ) -> String {
    // Rows that follow by ON UPDATE CASCADE would not find back from NULL.
    if column.isNullable, !column.isReferenced, !layout.hasNonNullGeneratedColumn { return "NULL" }
    return number(column, isRead: isRead)
  }

  /// A random value of the column's class.
  private static func number(_ column: LayoutColumn, isRead: Bool) -> String {
    // Below zero: the rowid of a row inserted next is one above the greatest.
    let integer = "-1 - (random() >> 2 & 0xFFFFFFFFFFFFFFF)"
    if column.isRowID { return integer }
    guard column.hasOneClass else {
      // What follows by ON UPDATE CASCADE can store what is of the class that it has stored.
      if column.isReferenced {
        return """
          CASE typeof(\(column.sql)) WHEN 'integer' THEN \(integer) \
          WHEN 'real' THEN random() / 1024.0 WHEN 'text' THEN hex(randomblob(16)) \
          ELSE randomblob(16) END
          """
      }
      return isRead ? "random()" : "randomblob(16)"
    }
    switch column.affinity {
    case .integer: return "random()"
    case .real, .numeric: return "random() / 1024.0"
    case .text: return isRead ? "CAST(random() AS TEXT)" : "hex(randomblob(16))"
    case .none: return "randomblob(16)"
    }
  }

  /// The columns that are changed.
  var columns: [LayoutColumn] { assignments.map(\.column) }

  /// The part of an UPDATE behind SET.
  var sql: String {
    assignments.map { "\($0.column.sql) = \($0.value)" }.joined(separator: ", ")
  }

  /// The same with other values, if there are any: where an expression such as `substr(name, 1, 1)`
  /// makes the same of many numbers.
  var secondSQL: String? {
    guard assignments.contains(where: { $0.second != nil && $0.second != $0.value }) else {
      return nil
    }
    return assignments.map { "\($0.column.sql) = \($0.second ?? $0.value)" }
      .joined(separator: ", ")
  }
}
