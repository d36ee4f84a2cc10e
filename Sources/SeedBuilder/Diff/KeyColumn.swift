import SeedSQLite

/// A column by which rows are put in order, and how.
struct KeyColumn: Hashable {
  /// The column's name.
  var name: String
  /// How its texts are compared; by their bytes where only some application knows the collation.
  ///
  /// Keys that differ for that differ in their bytes too, so that they still identify a row.
  var collation: TextCollation = .binary
  var isDescending = false
  /// Whether this is the rowid of a virtual table, which orders by it without a collation only.
  var isVirtualRowID = false

  /// The column as a term of ORDER BY, in a database whose BINARY is the order of UTF-8 or not.
  func orderTerm(isUTF8: Bool) -> String {
    let name = SQLiteName.quoted(name)
    guard !isVirtualRowID else { return name }
    let isOwn = collation == .binary && !isUTF8
    return "\(name) COLLATE \(isOwn ? Connection.byteOrderCollation : collation.rawValue)"
      + (isDescending ? " DESC" : "")
  }

  /// The name as SQLite compares it.
  var foldedName: String { SchemaNaming.folded(name) }

  /// Whether two columns tell the same rows apart; in which direction they sort does not matter.
  func identifiesLike(_ other: KeyColumn) -> Bool {
    foldedName == other.foldedName && collation == other.collation
  }
}
