internal import SeedModel

/// A table as it follows from the facts known so far.
struct TablePlan: Equatable {
  /// What a column is made from.
  enum Source: Hashable {
    /// The key that the loader counts up, when no column of the document serves.
    case generatedKey
    /// The key of the record of that table around the row.
    case parent(table: Int)
    case attribute(QualifiedName)
    case child(QualifiedName)
    case text
    /// The line of the record, of a raw load.
    case line
    /// The number of the record's place, of a raw load.
    case place
  }

  struct Column: Equatable {
    var source: Source
    var type: ColumnType
    /// The fields of the document whose values it takes; several when the table's elements stand
    /// in several places.
    var fields: [Int]

    /// Whether a loaded column can become the other one without loading its rows again.
    func isStoredAs(_ other: Column) -> Bool {
      source == other.source && type == other.type
    }
  }

  /// The element's name; elements of one name share a table.
  var name: QualifiedName
  var columns: [Column]
  /// The column that is the primary key.
  var keyColumn: Int
  /// Whether a record's key may be known only after its child records are.
  var keyComesLate: Bool
  /// Whether the element may stand inside its own kind.
  var isRecursive: Bool

  /// The columns in front of a raw load's own: key, line, place.
  static let rawFrontCount = 3

  var hasGeneratedKey: Bool { columns[keyColumn].source == .generatedKey }

  /// The column that refers to a parent of the given table.
  func parentColumn(for table: Int) -> Int? {
    columns.firstIndex { $0.source == .parent(table: table) }
  }
}
