/// What the values of one column are, and so how they are stored.
package enum ColumnType: Sendable, Hashable {
  /// The two words that a column of booleans is written in.
  package enum BooleanForm: UInt8, Sendable, Hashable {
    /// `true` and `false`.
    case trueFalse
    /// `YES` and `NO`.
    case yesNo
  }

  case integer
  case real
  case boolean(BooleanForm)
  case date(DateForm)
  case dateTime(DateForm)
  case text
  /// Binary data, which comes as Base64.
  case blob
}

extension ColumnType {
  /// The type to declare in CREATE TABLE.
  package var declaredType: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .boolean: "BOOLEAN"
    case .date: "DATE"
    case .dateTime: "DATETIME"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }

  /// The type whose affinity stores converted values unchanged while they are loaded.
  ///
  /// The declared `BOOLEAN`, `DATE` and `DATETIME` have NUMERIC affinity, under which SQLite tries
  /// to read every bound text as a number; the texts of dates never are one, so the result is
  /// the same and the attempt is saved.
  package var storageAffinityName: String {
    switch self {
    case .integer, .boolean, .date, .dateTime, .text, .blob: ""
    case .real: "REAL"
    }
  }
}
