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
      hint: remedy(order, owner, table, rowID))
  }

  /// The rule about rows that have no place, or none that is a number.
  ///
  /// - Parameters:
  ///   - order: The column with the places.
  ///   - condition: Which rows need one; nil for all.
  ///   - owner: The column with the key of the object whose relationship is ordered, if it is known.
  ///   - table: The table that has them.
  ///   - rowID: What tells its rows apart.
  ///   - shown: What of a row is shown, as SQL.
  ///   - message: What is wrong with a row, from what to call it and what is shown of it.
  /// - Returns: The rule.
  static func missing(
    _ order: String, condition: String? = nil, of owner: String?, in table: String, rowID: String,
    shown: [String] = [], message: @escaping (_ row: String, _ shown: [String]) -> String
  ) -> RowRule {
    let place = "t.\(SQLiteName.quoted(order))"
    return RowRule(
      code: .storeOrder,
      condition: (condition.map { "\($0) AND " } ?? "") + "typeof(\(place)) <> 'integer'",
      shown: [place] + shown,
      message: { row, shown in
        "\(message(row, Array(shown.dropFirst()))): \"\(order)\" is \(shown[0])"
      },
      summary: "have no place in \"\(order)\"",
      hint: owner.map { remedy(order, $0, table, rowID) }
        ?? "number the rows of each object in \"\(order)\": 2048, 3072, 4096 and so on")
  }

  /// Numbers all rows of each object anew, in the order that they have.
  private static func remedy(
    _ order: String, _ owner: String, _ table: String, _ rowID: String
  ) -> String {
    let names = [table, order, owner].map(SQLiteName.quotedIfNeeded)
    // Numbered in a query of its own: what is updated would be read again.
    return "run: UPDATE \(names[0]) SET \(names[1]) = n.place FROM (SELECT \(rowID) AS id, "
      + "1024 + 1024 * row_number() OVER (PARTITION BY \(names[2]) "
      + "ORDER BY \(names[1]) IS NULL, \(names[1]), \(rowID)) "
      + "AS place FROM \(names[0]) WHERE \(names[2]) IS NOT NULL) AS n "
      + "WHERE n.id = \(names[0]).\(rowID);"
  }
}
