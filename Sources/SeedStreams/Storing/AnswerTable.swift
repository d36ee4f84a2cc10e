internal import SeedModel

/// A table that an answer's records make, by the rules of a build.
internal struct AnswerTable {
  /// What a column is made from.
  enum Source: Hashable {
    /// The key that is counted up, when no column of the answer serves.
    case generatedKey
    /// The key of the record of that table around the row.
    case parent(table: Int)
    /// A value.
    case value(QualifiedName)
    /// An object that never has members.
    case child(QualifiedName)
  }

  /// A column of the table.
  struct Column {
    var source: Source
    var type: SeedModel.ColumnType
    var name = ""
    /// Whether every row has a value there.
    var isFilled = false
    var hasValues = false

    /// The table that the column refers to.
    var parent: Int? { if case .parent(let table) = source { table } else { nil } }
  }

  /// The records' name, which the table has its name from.
  var recordName: QualifiedName
  var name = ""
  var columns: [Column] = []
  /// The column that is the primary key.
  var keyColumn = 0

  var hasGeneratedKey: Bool { columns[keyColumn].source == .generatedKey }
}

/// A record of an answer.
internal struct AnswerRow {
  var table: Int
  /// The row around it, by number.
  var parent: Int?
  /// The values by their columns; nil where the record has none.
  var texts: [String?]
}

/// The tables of an answer and their rows, parents before what is in them.
internal struct AnswerTables {
  private(set) var tables: [AnswerTable] = []
  private(set) var rows: [AnswerRow] = []

  /// Makes the tables.
  ///
  /// - Parameters:
  ///   - shape: The answer, taken apart.
  ///   - dropsStructure: Whether records that hold nothing but other records are left out, as a
  ///     build leaves them out of a source with an envelope.
  init(_ shape: AnswerShape, dropsStructure: Bool) {
    var layout = AnswerLayout(shape, dropsStructure: dropsStructure)
    layout.collectRows()
    layout.decide()
    tables = layout.tables
    rows = layout.rows
  }
}
