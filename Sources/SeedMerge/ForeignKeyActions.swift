internal import SeedSQLite

/// What the foreign keys of a database do by themselves to rows that refer to others.
struct ForeignKeyActions {
  private struct Key {
    /// The table whose rows refer, folded.
    var child: String
    /// The table that they refer to, folded.
    var parent: String
    /// Whether its rows go with those that they refer to.
    var deletes: Bool
    /// Whether its rows are changed with those that they refer to, or go.
    var changes: Bool
  }

  private let keys: [Key]

  init(_ connection: Connection) throws(SQLiteError) {
    let rows = try connection.rows(
      """
      SELECT m.name, f."table", f.on_delete, f.on_update FROM main.sqlite_schema AS m,
      pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table'
      """)
    keys = rows.compactMap { row in
      guard case .text(let child) = row[0], case .text(let parent) = row[1],
        case .text(let onDelete) = row[2], case .text(let onUpdate) = row[3]
      else { return nil }
      let idle: Set = ["NO ACTION", "RESTRICT", "NONE"]
      return Key(
        child: SQLNames.folded(child), parent: SQLNames.folded(parent),
        deletes: onDelete == "CASCADE",
        changes: !idle.contains(onDelete) || !idle.contains(onUpdate))
    }
  }

  /// Whether rows of a table are changed, or go, with rows that they refer to.
  func change(_ table: String) -> Bool {
    keys.contains { $0.changes && $0.child == SQLNames.folded(table) }
  }

  /// The tables whose rows can go with rows of some tables, folded, by name.
  func tables(goingWith tables: [String]) -> [String] {
    var parents = Set(tables.map(SQLNames.folded))
    var found: Set<String> = []
    while !parents.isEmpty {
      let next = Set(keys.filter { $0.deletes && parents.contains($0.parent) }.map(\.child))
      parents = next.subtracting(found)
      found.formUnion(next)
    }
    return found.sorted()
  }

  /// Tables in an order in which those that refer come before those that they refer to, as far as
  /// that can be.
  func childrenFirst<Element>(_ elements: [Element], name: (Element) -> String) -> [Element] {
    var children: [String: [String]] = [:]
    for key in keys { children[key.parent, default: []].append(key.child) }
    let byName = Dictionary(elements.map { (SQLNames.folded(name($0)), $0) }) { first, _ in first }
    var (seen, sorted): (Set<String>, [Element]) = ([], [])
    func visit(_ name: String) {
      guard seen.insert(name).inserted else { return }
      for child in children[name] ?? [] { visit(child) }
      if let element = byName[name] { sorted.append(element) }
    }
    for element in elements { visit(SQLNames.folded(name(element))) }
    return sorted
  }
}
