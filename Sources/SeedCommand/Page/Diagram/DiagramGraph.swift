import SeedBuilder

/// The tables of a diagram and the references between them, before anything has a place.
struct DiagramGraph: Sendable, Hashable {
  /// A column, as one line of a box.
  struct Row: Sendable, Hashable {
    var name: String
    var type: String
    /// Whether the column is part of the primary key.
    var isKey: Bool
    /// Whether the column is part of a foreign key.
    var isReference: Bool
  }

  struct Table: Sendable, Hashable {
    /// The place of the table in the report.
    var index: Int
    var name: String
    /// The columns shown; keys come first in the choice, not in the order.
    var rows: [Row]
    /// How many columns are not shown; a line of its own says so.
    var hiddenRowCount = 0

    /// The lines below the name.
    var lineCount: Int { rows.count + (hiddenRowCount > 0 ? 1 : 0) }
  }

  /// A foreign key, from a line of one table to a line of another.
  struct Reference: Sendable, Hashable {
    var child: Int
    var childLine: Int
    var parent: Int
    var parentLine: Int
    /// The key in words.
    var label: String
  }

  /// The most lines that a box has.
  static let lineLimit = 14

  var tables: [Table] = []
  var references: [Reference] = []

  init(tables: [Table], references: [Reference]) {
    self.tables = tables
    self.references = references
  }

  /// Takes the tables that hold data; those of SQLite, of this tool and of indexes stay out.
  init(_ map: ReferenceMap) {
    let shown = map.tables.indices.filter { map.isShownInDiagram($0) }
    var places: [Int: Int] = [:]
    for (place, index) in shown.enumerated() { places[index] = place }
    tables = shown.map { Self.table(at: $0, in: map) }
    var seen: Set<Reference> = []
    for (child, index) in shown.enumerated() {
      for key in map.outgoing[index] {
        guard let parent = key.parent.flatMap({ places[$0] }) else { continue }
        let reference = Reference(
          child: child, childLine: line(of: key.key.columns.first, in: tables[child]),
          parent: parent, parentLine: line(of: key.key.parentColumns.first, in: tables[parent]),
          label: key.label)
        if seen.insert(reference).inserted { references.append(reference) }
      }
    }
  }

  private static func table(at index: Int, in map: ReferenceMap) -> Table {
    let report = map.tables[index]
    let referring = Set(
      map.outgoing[index].flatMap(\.key.columns).map(ReferenceMap.folded))
    let referred = Set(
      map.incoming[index].flatMap(\.key.parentColumns).map(ReferenceMap.folded))
    let rows = report.columns.map { column in
      Row(
        name: column.name, type: column.declaredType, isKey: column.primaryKeyPosition != nil,
        isReference: referring.contains(ReferenceMap.folded(column.name)))
    }
    guard rows.count > lineLimit else { return Table(index: index, name: report.name, rows: rows) }
    let important = rows.indices.filter { row in
      rows[row].isKey || rows[row].isReference
        || referred.contains(ReferenceMap.folded(rows[row].name))
    }
    let others = rows.indices.filter { !important.contains($0) }
    let chosen = (important + others).prefix(lineLimit - 1).sorted()
    return Table(
      index: index, name: report.name, rows: chosen.map { rows[$0] },
      hiddenRowCount: rows.count - chosen.count)
  }

  /// The line of a column; that of the hidden columns, or the first one, if it has none.
  private func line(of column: String?, in table: Table) -> Int {
    let name = column.map(ReferenceMap.folded)
    return table.rows.firstIndex { ReferenceMap.folded($0.name) == name }
      ?? (table.hiddenRowCount > 0 ? table.rows.count : 0)
  }
}
