internal import SeedSQLite

/// Pieces of SQL that several statements share.
enum SQLText {
  static func quoted(_ name: String) -> String { SQLiteName.quoted(name) }

  /// The most characters of a value that an error shows.
  private static let shownCount = 40

  /// A value in an error, cut where it is long.
  static func shown(_ value: String) -> String {
    value.unicodeScalars.count <= shownCount
      ? value : String(String.UnicodeScalarView(value.unicodeScalars.prefix(shownCount))) + "…"
  }

  /// Names in a row: `"a","b"`, each of them behind a table's name if one is given.
  static func list(_ columns: [LayoutColumn], of table: String? = nil) -> String {
    columns.map { (table.map { $0 + "." } ?? "") + $0.sql }.joined(separator: ",")
  }

  /// A table of one row, whose values are the parameters.
  static func values(_ columns: [LayoutColumn]) -> String {
    let values = columns.enumerated().map { "?\($0.offset + 1) AS \($0.element.sql)" }
    return "(SELECT \(values.joined(separator: ",")))"
  }

  /// One expression, or several as a row value.
  static func row(_ expressions: [String]) -> String {
    expressions.count == 1 ? expressions[0] : "(" + expressions.joined(separator: ",") + ")"
  }

  /// Whether the values of a column differ in storage class or bytes; the sign of a zero is none.
  ///
  /// `IS NOT` alone takes 1 and 1.0 for equal. Where the column's affinity or a STRICT table
  /// decides the class, comparing is enough, and asking for the class would be wrong: in a table
  /// with a rowid the values of `excluded` have not got the affinity yet. The one exception is the
  /// least integer, which SQLite does not convert from its floating-point form.
  static func differs(_ column: LayoutColumn, _ first: String, _ second: String) -> String {
    let (one, other) = ("\(first).\(column.sql)", "\(second).\(column.sql)")
    let isOther = "\(one) IS NOT \(other) COLLATE BINARY"
    if column.isRowID || column.hasOneClass { return isOther }
    switch column.affinity {
    case .text, .real: return isOther
    case .integer, .numeric:
      return "\(isOther) OR (\(one) < -9223372036854775807 AND typeof(\(one)) <> typeof(\(other)))"
    case .none: return "\(isOther) OR typeof(\(one)) <> typeof(\(other))"
    }
  }

  /// Whether any of several columns differ.
  static func differ(_ columns: [LayoutColumn], _ first: String, _ second: String) -> String {
    any(columns.map { differs($0, first, second) }[...])
  }

  /// Whether any of several conditions holds.
  ///
  /// SQLite takes `a OR b OR c` for a tree as deep as it is long, and none deeper than 1000, while a
  /// table may have 2000 columns.
  private static func any(_ conditions: ArraySlice<String>) -> String {
    guard conditions.count > 100 else { return conditions.joined(separator: " OR ") }
    let middle = conditions.startIndex + conditions.count / 2
    return "(\(any(conditions[..<middle]))) OR (\(any(conditions[middle...])))"
  }
}
