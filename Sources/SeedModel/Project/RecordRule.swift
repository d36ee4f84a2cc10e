/// What becomes of the records at one path of a source.
package struct RecordRule: Sendable, Hashable {
  /// The path of names from the root, such as `Events/Event` or `data/notes`.
  ///
  /// JSON's and a property list's outermost array or object has no name and no part in the path; rows
  /// without a name, such as a CSV file's or the items of an outermost array, have the path `*`, and
  /// an outermost object itself has the path `.`.
  package var path: Located<String>
  /// The table that the records go to; without it, one of the record's own name.
  package var table: Located<String>?
  /// What the table's columns are made from; others follow by their names.
  package var columns: [ColumnRule] = []
  /// Whether only the columns named are filled, and all else of the records is left out.
  package var onlyNamedColumns: Bool = false
  /// Whether the records are left out altogether.
  package var isSkipped: Bool = false

  /// A rule of which only the path is declared.
  package init(path: Located<String>) {
    self.path = path
  }
}

/// What one column is made from.
package struct ColumnRule: Sendable, Hashable {
  /// The column's name.
  package var name: Located<String>
  /// Where the value comes from: `@name` is an attribute, `name` or `name/other` a child or
  /// member, `.` the direct text; without it, what has the column's own name.
  package var from: Located<String>?
  /// The type that values are converted to; without it, what the schema or the inference says.
  package var type: Located<DeclaredType>?
  /// The pattern of dates, such as `dd.MM.yyyy`.
  package var format: Located<String>?
  /// What stands in the place of an absent value.
  package var defaultValue: Located<JSONValue>?
  /// Texts that mean NULL.
  package var nullTexts: [String] = []
  /// Whether blanks around a value are dropped.
  package var isTrimmed: Bool = false
  /// The same value in every row, instead of one from the source.
  package var constant: Located<JSONValue>?

  /// A rule of which only the name is declared.
  package init(name: Located<String>) {
    self.name = name
  }
}

/// A type that values are converted to.
package enum DeclaredType: String, Sendable, Hashable, CaseIterable {
  case text, integer, real, decimal, boolean, date, datetime, blob
}
