/// Compares the definitions of two schemas.
///
/// A definition is its SQL as SQLite keeps it, but for blanks and comments: ALTER TABLE ADD COLUMN
/// leaves other ones than the statement that makes the whole table.
struct SchemaComparison {
  let old: SchemaSnapshot
  let new: SchemaSnapshot

  /// The objects that differ, by kind and name.
  func changes() -> [SchemaChange] {
    let identities = Set(old.objects.keys).union(new.objects.keys)
    return SchemaChange.Kind.allCases.flatMap { kind in
      identities.filter { $0.kind == kind }.map(\.foldedName).sorted().compactMap { name in
        change(of: SchemaSnapshot.Identity(kind: kind, foldedName: name))
      }
    }
  }

  private func change(of identity: SchemaSnapshot.Identity) -> SchemaChange? {
    let (before, after) = (old.objects[identity], new.objects[identity])
    guard let object = after ?? before,
      before == nil || after == nil || !Self.isSame(before?.sql, after?.sql)
    else { return nil }
    let action: SchemaChange.Action =
      before == nil ? .added : after == nil ? .removed : .changed
    let belongs = object.kind == .index || object.kind == .trigger
    return SchemaChange(
      kind: object.kind, name: object.name, table: belongs ? object.table : nil, action: action,
      columns: action == .changed ? columnChanges(inTable: identity) : [],
      oldSQL: before?.sql, newSQL: after?.sql)
  }

  private static func isSame(_ old: String?, _ new: String?) -> Bool {
    if old == new { return true }
    guard let old, let new else { return false }
    let (former, current) = (SQLToken.tokens(of: old), SQLToken.tokens(of: new))
    return former.count == current.count
      && zip(former, current).allSatisfy {
        $0.kind == $1.kind && $0.value == $1.value && $0.isQuoted == $1.isQuoted
      }
  }

  /// The columns that differ: those of the new table in its order, then those that are gone.
  private func columnChanges(inTable identity: SchemaSnapshot.Identity) -> [SchemaChange.Column] {
    guard identity.kind == .table, let before = old.tables[identity.foldedName],
      let after = new.tables[identity.foldedName]
    else { return [] }
    let declared = Dictionary(
      before.columns.map { (SchemaNaming.folded($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    let kept = Set(after.columns.map { SchemaNaming.folded($0.name) })
    return after.columns.compactMap { column in
      let former = declared[SchemaNaming.folded(column.name)].map { Self.declaration(of: $0) }
      let current = Self.declaration(of: column)
      guard former != current else { return nil }
      return SchemaChange.Column(name: column.name, old: former, new: current)
    }
      + before.columns.filter { !kept.contains(SchemaNaming.folded($0.name)) }.map {
        SchemaChange.Column(name: $0.name, old: Self.declaration(of: $0), new: nil)
      }
  }

  /// A column's declaration as far as SQLite tells it, in words close to SQL.
  private static func declaration(of column: TableReport.Column) -> String {
    var words: [String] = []
    if !column.declaredType.isEmpty { words.append(column.declaredType) }
    if let position = column.primaryKeyPosition {
      words.append(position == 1 ? "PRIMARY KEY" : "PRIMARY KEY (\(position))")
    }
    if column.isNotNull { words.append("NOT NULL") }
    if let value = column.defaultValue { words.append("DEFAULT \(value)") }
    if column.isGenerated { words.append("GENERATED") }
    return words.joined(separator: " ")
  }
}
