internal import SeedModel

/// What a column asks of the values that go into it.
enum ColumnDemand: Equatable {
  /// A declared type that values are converted to.
  case type(DeclaredType)
  /// A type that SQLite gives NUMERIC affinity, such as UUID or JSON: any text, as long as SQLite
  /// would not turn it into another number.
  case numericAffinity
  /// No type: any value as it is.
  case anything

  /// What a declared type asks for.
  ///
  /// DATE, DATETIME, TIMESTAMP, BOOLEAN and DECIMAL mean nothing to SQLite but much to those who
  /// write them; all others follow SQLite's rules for affinity (sqlite.org/datatype3.html, 3.1).
  init(declaredType: String, isStrict: Bool = false) {
    let text = declaredType.uppercased()
    switch text.prefix(while: { $0.isLetter || $0 == "_" }) {
    case "DATE": self = .type(.date)
    case "DATETIME", "TIMESTAMP", "TIMESTAMPTZ": self = .type(.datetime)
    case "BOOL", "BOOLEAN": self = .type(.boolean)
    case "DECIMAL", "NUMERIC", "MONEY": self = .type(.decimal)
    case "": self = .anything
    // In a table that is not STRICT, ANY has NUMERIC affinity (sqlite.org/stricttables.html, 4).
    case "ANY": self = isStrict ? .anything : .numericAffinity
    case _ where text.contains("INT"): self = .type(.integer)
    case _ where ["CHAR", "CLOB", "TEXT"].contains(where: text.contains): self = .type(.text)
    case _ where text.contains("BLOB"): self = .type(.blob)
    case _ where ["REAL", "FLOA", "DOUB"].contains(where: text.contains): self = .type(.real)
    default: self = .numericAffinity
    }
  }

  /// Whether values are to be numbers.
  var isNumber: Bool {
    [.type(.integer), .type(.real), .type(.decimal), .numericAffinity].contains(self)
  }

  /// Whether an empty value is a value, and not the lack of one.
  var keepsEmptyText: Bool { self == .type(.text) || self == .anything || self == .numericAffinity }
}
