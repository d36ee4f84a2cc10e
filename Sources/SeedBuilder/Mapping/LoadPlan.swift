/// Which tables there are and what each place and field of the document becomes.
///
/// Made from facts by ``LoadPlanner``; a plan made from more facts may differ.
struct LoadPlan {
  var tables: [TablePlan] = []
  /// The role of each place.
  var roles: [Role] = []
  /// The column of the row's table that each field goes to; -1 for none.
  var columnOfField: [Int] = []
  /// How many marks of wrappers an open row of each table has.
  var markCounts: [Int] = []

  /// Whether rows loaded under `self` are what `newer` wants, but for columns and tables at the
  /// end that it has more.
  func canBecome(_ newer: LoadPlan) -> Bool {
    guard newer.tables.count >= tables.count, newer.roles.count >= roles.count else { return false }
    for (role, newRole) in zip(roles, newer.roles) where !role.isLoadedAs(newRole) { return false }
    return zip(tables, newer.tables).allSatisfy { table, newTable in
      table.name == newTable.name && table.keyColumn == newTable.keyColumn
        && table.keyComesLate == newTable.keyComesLate
        && table.isRecursive == newTable.isRecursive
        && newTable.columns.count >= table.columns.count
        && zip(table.columns, newTable.columns).allSatisfy { $0.isStoredAs($1) }
    }
  }
}
