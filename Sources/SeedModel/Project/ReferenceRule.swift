/// A foreign key that is filled by looking a natural key up.
package struct ReferenceRule: Sendable, Hashable {
  /// The table whose rows refer.
  package var table: String
  /// The column that gets the key.
  package var column: String
  /// Where the natural key comes from: a path as in ``ColumnRule/from``.
  package var from: Located<String>
  /// The table whose rows are referred to.
  package var targetTable: String
  /// The column that has the natural key.
  package var targetColumn: String
  /// Where the rule stands.
  package var location: SourceLocation?

  /// A reference such as `item.category_id` from `@category` to `category.name`.
  package init(
    table: String, column: String, from: Located<String>, targetTable: String,
    targetColumn: String, location: SourceLocation? = nil
  ) {
    self.table = table
    self.column = column
    self.from = from
    self.targetTable = targetTable
    self.targetColumn = targetColumn
    self.location = location
  }
}

/// An index to create.
package struct IndexRule: Sendable, Hashable {
  /// The index's name; without it, one made from table and columns.
  package var name: String?
  /// The table.
  package var table: String
  /// The columns, in order.
  package var columns: [String]
  /// Whether no two rows may agree in them.
  package var isUnique: Bool
  /// Where the rule stands.
  package var location: SourceLocation?

  /// An index such as `event(time_stamp)`.
  package init(
    name: String? = nil, table: String, columns: [String], isUnique: Bool = false,
    location: SourceLocation? = nil
  ) {
    self.name = name
    self.table = table
    self.columns = columns
    self.isUnique = isUnique
    self.location = location
  }
}

/// What the seed owns, so that an update of it may change the app's database there and nowhere else:
/// a whole table, or columns of one.
package struct OwnedTable: Sendable, Hashable {
  /// The table.
  package var table: String
  /// Its columns that are owned; empty for the whole table.
  package var columns: [String]
  /// Where the rule stands.
  package var location: SourceLocation?

  /// Owned columns of a table, or all of it.
  package init(table: String, columns: [String], location: SourceLocation? = nil) {
    self.table = table
    self.columns = columns
    self.location = location
  }
}

/// A pragma that is stored in the database.
package struct PragmaRule: Sendable, Hashable {
  /// The pragma's name.
  package var name: Located<String>
  /// Its value.
  package var value: JSONValue

  /// A pragma.
  package init(name: Located<String>, value: JSONValue) {
    self.name = name
    self.value = value
  }
}
