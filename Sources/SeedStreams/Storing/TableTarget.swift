internal import SeedModel
internal import SeedSQLite

/// A table of the database that takes records of an answer.
internal struct TableTarget {
  /// How the values of one of the answer's columns get there.
  struct Column {
    /// The column's name in the database.
    var name: String
    /// The kind of the type that it declares, which decides how values are stored.
    var declared: DeclaredKind
    /// Whether a row without a value is refused.
    var isNotNull: Bool
  }

  /// The name in the database.
  var name: String
  /// The column that is the primary key, or `rowid`.
  var keyName: String
  /// The columns for those of the answer; nil for a key that is counted up.
  var columns: [Column?]
}

/// What a column of the database takes.
internal enum DeclaredKind: Hashable {
  case integer, real, boolean, date, dateTime, text, blob
  /// Whatever comes.
  case any

  /// The kind of a declared type: one of a build's own names, else by SQLite's rules of affinity.
  init(declaredType: String) {
    let name = declaredType.uppercased()
    switch name {
    case "INTEGER": self = .integer
    case "REAL": self = .real
    case "BOOLEAN": self = .boolean
    case "DATE": self = .date
    case "DATETIME": self = .dateTime
    case "TEXT": self = .text
    case "BLOB": self = .blob
    default:
      if name.contains("INT") {
        self = .integer
      } else if ["CHAR", "CLOB", "TEXT"].contains(where: { name.contains($0) }) {
        self = .text
      } else if ["REAL", "FLOA", "DOUB"].contains(where: { name.contains($0) }) {
        self = .real
      } else {
        self = .any
      }
    }
  }

  /// The kind of an answer's column.
  init(_ type: SeedModel.ColumnType) {
    switch type {
    case .integer: self = .integer
    case .real: self = .real
    case .boolean: self = .boolean
    case .date: self = .date
    case .dateTime: self = .dateTime
    case .text: self = .text
    case .blob: self = .blob
    }
  }

  /// Whether values of an answer's column fit: of the same kind, or stored without loss.
  func takes(_ other: DeclaredKind) -> Bool {
    self == other || self == .text || self == .any || self == .real && other == .integer
  }
}

extension TableTarget.Column {
  /// A value of an answer's column as this one has it; nil when it does not fit.
  func value(_ text: String, of type: SeedModel.ColumnType) -> SQLiteValue? {
    switch declared {
    case .text: return .text(text)
    case .any: break
    default: if text.isEmpty { return .null }
    }
    switch declared {
    case .real where type == .integer: return ColumnEvidence.value(text, as: .real)
    default: return ColumnEvidence.value(text, as: type)
    }
  }
}
