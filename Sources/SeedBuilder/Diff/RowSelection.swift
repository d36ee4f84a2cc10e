import SeedSQLite

/// Which columns of a table are read, and in which order its rows come.
struct RowSelection {
  /// The columns that identify a row, by which rows are ordered.
  var key: [KeyColumn]
  /// The other columns that are compared.
  var columns: [String]
  /// Whether rows are compared as wholes, since nothing identifies them.
  var isWhole: Bool

  /// All columns that are read: those of the key first.
  var names: [String] { key.map(\.name) + columns }

  /// Reads all stored columns of a table.
  init(of table: TableShape) {
    self.init(key: table.key, stored: table.storedColumns)
  }

  /// Reads the stored columns that two tables have in common, by the key that they share or, if
  /// that identifies no row, as wholes.
  init(common old: TableShape, _ new: TableShape, isWhole: Bool) {
    let others = Set(new.storedColumns.map { SchemaNaming.folded($0) })
    let stored = old.storedColumns.filter { others.contains(SchemaNaming.folded($0)) }
    let isShared =
      Set(old.key.map { $0.foldedName }).count == old.key.count
      && old.key.count == new.key.count
      && old.key.allSatisfy { column in new.key.contains { $0.identifiesLike(column) } }
    self.init(key: isShared && !isWhole ? old.key : [], stored: stored)
  }

  private init(key: [KeyColumn], stored: [String]) {
    if key.isEmpty {
      self.key = stored.map { KeyColumn(name: $0) }
      columns = []
    } else {
      let names = Set(key.map { $0.foldedName })
      self.key = key
      columns = stored.filter { !names.contains(SchemaNaming.folded($0)) }
    }
    isWhole = key.isEmpty
  }

  /// The query for a table's rows, by their key or as they are stored.
  func sql(from table: String, isOrdered: Bool, isUTF8: Bool) -> String {
    let list = names.isEmpty ? "NULL" : names.map { SQLiteName.quoted($0) }.joined(separator: ", ")
    let query = "SELECT \(list) FROM \(SQLiteName.quoted(table))"
    guard isOrdered, !key.isEmpty else { return query + " NOT INDEXED" }
    let terms = key.map { $0.orderTerm(isUTF8: isUTF8) }
    return query + " ORDER BY \(terms.joined(separator: ", "))"
  }
}

extension RowSelection {
  /// No columns at all.
  static let none = RowSelection(key: [], stored: [])
}
