internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// The rules about how many objects a to-many relationship has, and about attributes that say so.
enum CountRules {
  /// The rule about the bounds of a relationship.
  static func rule(
    for count: StoreShape.Count, in table: StoreShape.EntityTable
  ) -> RowRule {
    let owners = "t.Z_ENT IN (\(list(count.owners)))"
    // Looked up in one result: a query for each row would read the links again and again.
    let few =
      count.mayBeNone
      ? "t.Z_PK IN (\(keys(count.links)) HAVING count(*) < \(count.least))"
      : "t.Z_PK NOT IN (\(keys(count.links)) HAVING count(*) >= \(count.least))"
    let many = "t.Z_PK IN (\(keys(count.links)) HAVING count(*) > \(count.most))"
    let parts = [count.least > 0 ? few : nil, count.most > 0 ? many : nil].compactMap(\.self)
    let bounds = [
      count.least > 0 && !count.isOnlyRequired
        ? (count.mayBeNone ? "none or " : "") + "at least \(count.least)" : nil,
      count.most > 0 ? "at most \(count.most)" : nil,
    ].compactMap(\.self).joined(separator: " and ")
    return RowRule(
      code: .storeRequired, condition: "\(owners) AND (\(parts.joined(separator: " OR ")))",
      shown: [number(count.links)],
      message: { row, shown in
        if shown[0] == "0", count.isOnlyRequired {
          return
            "\(row), of entity \(count.entity), has no \"\(count.name)\", and the relationship is "
            + "not optional"
        }
        return
          "\(row), of entity \(count.entity), has \(shown[0]) \"\(count.name)\", and the model demands "
          + bounds
      },
      summary: count.isOnlyRequired
        ? "have no \"\(count.name)\", or too many"
        : "have too few or too many \"\(count.name)\", of which the model demands \(bounds)",
      hint: "add or take away rows of \"\(count.links.table)\" with the key of the row in "
        + "\"\(count.links.column)\", or correct the counts in the model")
  }

  /// The rule about an attribute that is derived of the number of objects.
  ///
  /// Core Data's own triggers take NULL for 0.
  static func rule(
    for derived: StoreShape.DerivedColumn, in table: StoreShape.EntityTable
  ) -> RowRule {
    let value = "ifnull(t.\(SQLiteName.quoted(derived.column)), 0)"
    let names = [table.name, derived.column, derived.links.table, derived.links.column]
      .map(SQLiteName.quotedIfNeeded)
    let key = SQLiteName.quoted(derived.links.column)
    return RowRule(
      code: .storeRequired,
      condition: "t.Z_ENT IN (\(list(derived.owners))) AND (t.Z_PK, \(value)) NOT IN "
        + "(SELECT \(key), count(*) FROM \(SQLiteName.quoted(derived.links.table)) "
        + "WHERE \(key) IS NOT NULL GROUP BY 1) "
        + "AND (\(value) <> 0 OR t.Z_PK IN (\(keys(derived.links))))",
      shown: [value, number(derived.links)],
      message: { row, shown in
        "\(row) has \(shown[0]) as the derived \"\(derived.name)\", and \(shown[1]) "
          + "\"\(derived.relationship)\""
      },
      summary: "have another number as \"\(derived.name)\" than \"\(derived.relationship)\"",
      hint: "run: UPDATE \(names[0]) SET \(names[1]) = (SELECT count(*) FROM \(names[2]) AS o "
        + "WHERE o.\(names[3]) = \(names[0]).Z_PK) WHERE Z_ENT IN (\(list(derived.owners)));")
  }

  private static func keys(_ links: StoreShape.Links) -> String {
    let key = SQLiteName.quoted(links.column)
    return
      "SELECT \(key) FROM \(SQLiteName.quoted(links.table)) WHERE \(key) IS NOT NULL GROUP BY 1"
  }

  private static func number(_ links: StoreShape.Links) -> String {
    "(SELECT count(*) FROM \(SQLiteName.quoted(links.table)) AS o "
      + "WHERE o.\(SQLiteName.quoted(links.column)) = t.Z_PK)"
  }

  private static func list(_ ids: [Int64]) -> String {
    ids.map { String($0) }.joined(separator: ", ")
  }
}
