internal import SeedModel

/// Puts the tables and rows of an answer together.
internal struct AnswerLayout {
  let shape: AnswerShape
  private let roles: [PlaceRoles.Role]
  private(set) var tables: [AnswerTable] = []
  private(set) var rows: [AnswerRow] = []
  /// The names of all records, of those that are left out too: a build has named their tables before
  /// it leaves them out.
  private var recordNames: [QualifiedName] = []
  private var tableOfName: [QualifiedName: Int] = [:]
  private var columnOfSource: [Key: Int] = [:]
  private var evidence: [[ColumnEvidence]] = []

  private struct Key: Hashable {
    var table: Int
    var source: AnswerTable.Source
  }

  /// A column at the time when it first appeared.
  private struct Candidate {
    var table: Int
    var order: Int
    var source: AnswerTable.Source
  }

  init(_ shape: AnswerShape, dropsStructure: Bool) {
    self.shape = shape
    roles = PlaceRoles(shape).roles
    // Records of which several stand side by side tell what belongs together, values or not.
    let several = shape.places.filter { $0.repeats || !$0.recursions.isEmpty }.map(\.name)
    let named = Set(shape.places.indices.flatMap { ownNames(of: $0) } + several)
    var known: Set<QualifiedName> = []
    for (index, place) in shape.places.enumerated()
    where roles[index] == .record && known.insert(place.name).inserted {
      recordNames.append(place.name)
      if dropsStructure, !named.contains(place.name) { continue }
      tableOfName[place.name] = tables.count
      tables.append(AnswerTable(recordName: place.name))
    }
    addColumns()
  }

  /// The name of the records that a place gives a column to.
  private func ownNames(of index: Int) -> [QualifiedName] {
    let place = shape.places[index]
    switch roles[index] {
    case .record where !place.fields.isEmpty: return [place.name]
    case .scalar: return place.parent.map { [shape.places[$0].name] } ?? []
    default: return []
    }
  }

  private mutating func addColumns() {
    var candidates: [Candidate] = []
    for (index, place) in shape.places.enumerated() {
      switch roles[index] {
      case .record: candidates += ownColumns(of: index)
      case .scalar:
        guard let parent = place.parent, let table = tableOfName[shape.places[parent].name] else {
          continue
        }
        candidates.append(Candidate(table: table, order: place.order, source: .child(place.name)))
      case .container, .wrapper: break
      }
    }
    let inOrder = candidates.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }
    for (_, candidate) in inOrder {
      let key = Key(table: candidate.table, source: candidate.source)
      guard columnOfSource[key] == nil else { continue }
      columnOfSource[key] = tables[candidate.table].columns.count
      let isReference = if case .parent = candidate.source { true } else { false }
      tables[candidate.table].columns.append(
        AnswerTable.Column(source: candidate.source, type: isReference ? .integer : .text))
    }
  }

  private func ownColumns(of index: Int) -> [Candidate] {
    let place = shape.places[index]
    guard let table = tableOfName[place.name] else { return [] }
    var result: [Candidate] = []
    let first = place.parent.map { [(parent: $0, order: place.order)] } ?? []
    for (parent, order) in first + place.recursions {
      guard let parentTable = recordTable(around: parent) else { continue }
      result.append(Candidate(table: table, order: order, source: .parent(table: parentTable)))
    }
    for field in place.fields {
      result.append(
        Candidate(
          table: table, order: shape.fields[field].order,
          source: .value(shape.fields[field].name)))
    }
    return result
  }

  /// The table of the nearest record at or above a place that records below refer to.
  private func recordTable(around place: Int) -> Int? {
    var current: Int? = place
    while let index = current {
      let isPlainRoot =
        shape.places[index].parent == nil && shape.places[index].recursions.isEmpty
      if roles[index] == .record, !isPlainRoot, let table = tableOfName[shape.places[index].name] {
        return table
      }
      current = shape.places[index].parent
    }
    return nil
  }

  // MARK: Rows

  mutating func collectRows() {
    evidence = tables.map { $0.columns.map { _ in ColumnEvidence() } }
    collect(shape.root, around: nil)
  }

  private mutating func collect(_ element: AnswerShape.Element, around row: Int?) {
    let place = shape.places[element.place]
    var inner = row
    switch roles[element.place] {
    case .container, .wrapper: break
    case .scalar:
      guard let row,
        let column = columnOfSource[Key(table: rows[row].table, source: .child(place.name))]
      else { break }
      rows[row].texts[column] = ""
    case .record:
      guard let table = tableOfName[place.name] else { break }
      inner = rows.count
      var texts = [String?](repeating: nil, count: tables[table].columns.count)
      for (field, text) in element.values {
        let source = AnswerTable.Source.value(shape.fields[field].name)
        guard let column = columnOfSource[Key(table: table, source: source)] else { continue }
        texts[column] = text
        evidence[table][column].observe(text)
      }
      rows.append(AnswerRow(table: table, parent: row, texts: texts))
    }
    for child in element.children { collect(child, around: inner) }
  }

  // MARK: Types, keys and names

  mutating func decide() {
    for field in shape.fields where field.hasDecimals {
      guard let table = tableOfName[shape.places[field.place].name],
        let column = columnOfSource[Key(table: table, source: .value(field.name))]
      else { continue }
      evidence[table][column].hasDecimals = true
    }
    for table in tables.indices {
      for column in tables[table].columns.indices where tables[table].columns[column].parent == nil
      {
        tables[table].columns[column].type = evidence[table][column].type
        tables[table].columns[column].hasValues = evidence[table][column].hasValues
      }
    }
    noteFilledColumns()
    for table in tables.indices { chooseKey(of: table) }
    AnswerNaming.name(&tables, amongRecords: recordNames)
  }

  private mutating func noteFilledColumns() {
    var counts = tables.map { $0.columns.map { _ in 0 } }
    var rowCounts = tables.map { _ in 0 }
    for row in rows {
      rowCounts[row.table] += 1
      for (index, column) in tables[row.table].columns.enumerated() {
        let isThere: Bool
        if let parent = column.parent {
          isThere = row.parent.map { rows[$0].table == parent } ?? false
        } else {
          isThere = row.texts[index].map { !$0.isEmpty || column.type == .text } ?? false
        }
        if isThere { counts[row.table][index] += 1 }
      }
    }
    for table in tables.indices where rowCounts[table] > 0 {
      for column in tables[table].columns.indices {
        tables[table].columns[column].isFilled = counts[table][column] == rowCounts[table]
      }
    }
  }

  /// Takes the first `id` that is an integer in every record and unique, or puts a key in front.
  private mutating func chooseKey(of table: Int) {
    for (index, column) in tables[table].columns.enumerated() {
      guard column.type == .integer, column.isFilled, case .value(let name) = column.source,
        name.local.lowercased() == "id"
      else { continue }
      var seen: Set<String> = []
      guard
        rows.allSatisfy({ row in
          row.table != table || row.texts[index].map { seen.insert($0).inserted } ?? false
        })
      else { continue }
      tables[table].keyColumn = index
      return
    }
    tables[table].columns.insert(AnswerTable.Column(source: .generatedKey, type: .integer), at: 0)
    tables[table].keyColumn = 0
    for row in rows.indices where rows[row].table == table { rows[row].texts.insert(nil, at: 0) }
  }
}
