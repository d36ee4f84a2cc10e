/// How a column stores values, by its declared type (sqlite.org/datatype3.html, section 3.1).
enum Affinity: String {
  case integer = "INTEGER"
  case real = "REAL"
  case numeric = "NUMERIC"
  case text = "TEXT"
  /// Values stay as they are.
  case none = "BLOB"

  /// The affinity of a declared type.
  init(declaredType: String, isStrict: Bool) {
    let type = SQLNames.folded(declaredType)
    func contains(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    self =
      if isStrict, type == "any" {
        .none
      } else if contains("int") {
        .integer
      } else if contains("char", "clob", "text") {
        .text
      } else if type.isEmpty || contains("blob") {
        .none
      } else if contains("real", "floa", "doub") {
        .real
      } else {
        .numeric
      }
  }
}

/// A column of a table as the database has it.
struct LayoutColumn {
  /// The name as the database spells it.
  let name: String
  let affinity: Affinity
  /// Whether the table is STRICT and the type another one than ANY: all values have one class.
  let hasOneClass: Bool
  /// Whether NULL can be stored.
  let isNullable: Bool
  let isGenerated: Bool
  /// Whether it is the INTEGER PRIMARY KEY, another name of the rowid.
  let isRowID: Bool
  /// Whether a foreign key of some table refers to it.
  var isReferenced = false
  /// Whether it is part of a foreign key.
  var isReferring = false

  /// The name in double quotes.
  var sql: String { SQLText.quoted(name) }

  /// Whether equal values may differ in class, or an equal one come in bytes of its own, so that
  /// finding a row by an index does not say that its key is the same.
  var keepsClass: Bool { affinity == .none && !hasOneClass }
}
