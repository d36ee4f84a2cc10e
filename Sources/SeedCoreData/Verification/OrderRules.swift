internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// The rule about places in ordered relationships: two objects at one place are in no order.
enum OrderRules {
  /// The rule.
  ///
  /// - Parameters:
  ///   - order: The column with the places.
  ///   - owner: The column with the key of the object whose relationship is ordered.
  ///   - table: The table that has both.
  ///   - rowID: What tells its rows apart.
  ///   - relationship: What messages call the relationship.
  /// - Returns: The rule.
  static func rule(
    for order: String, of owner: String, in table: String, rowID: String, relationship: String
  ) -> RowRule {
    let (place, key) = (SQLiteName.quoted(order), SQLiteName.quoted(owner))
    let names = [table, order, owner].map(SQLiteName.quotedIfNeeded)
    return RowRule(
      code: .storeOrder,
      condition: "(t.\(key), t.\(place)) IN (SELECT \(key), \(place) "
        + "FROM \(SQLiteName.quoted(table)) WHERE \(key) IS NOT NULL AND \(place) IS NOT NULL "
        + "GROUP BY 1, 2 HAVING count(*) > 1)",
      shown: ["t.\(place)", "t.\(key)"],
      message: { row, shown in
        "\(row) has the place \(shown[0]) in \"\(order)\" that another row has, too, of the objects "
          + "that belong to row \(shown[1]) by \"\(relationship)\""
      },
      summary: "share a place in \"\(order)\" with another row",
      // Numbered in a query of its own: what is updated would be read again.
      hint: "run: UPDATE \(names[0]) SET \(names[1]) = n.place FROM (SELECT \(rowID) AS id, "
        + "1024 + 1024 * row_number() OVER (PARTITION BY \(names[2]) ORDER BY \(names[1]), \(rowID)) "
        + "AS place FROM \(names[0]) WHERE \(names[2]) IS NOT NULL) AS n "
        + "WHERE n.id = \(names[0]).\(rowID)")
  }
}
