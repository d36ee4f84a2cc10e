internal import SeedSQLite

/// Keeps ON UPDATE actions of foreign keys between the declared tables from writing over what is
/// brought, while rows are written.
///
/// A value that rows refer to may move from one row to another, and be put aside on its way there.
/// ON UPDATE CASCADE would have the rows that refer to it follow, SET NULL forget it, although each
/// declared row is brought as it is to be, or is that already. Temporary triggers leave such rows
/// as they are; SQLite goes on counting the references that dangle. They are there only where a
/// foreign key has such an action and refers to more than the key, which never changes.
///
/// Rows that are to stay where they would be deleted are nobody's but the app's, and follow. So do
/// the rows of other tables. Rows of a table that refers to itself follow while it is written.
final class ReferenceGuard {
  private struct Held {
    var number: Int
    var name: String
    var sql: String
    var isThere = false
  }

  private let connection: Connection
  private var held: [Held] = []
  /// The table whose rows are being written.
  private var writing: Int?

  /// Finds the tables.
  ///
  /// - Parameters:
  ///   - layouts: The declared tables.
  ///   - keep: By the number of a table, the condition for a row to stay.
  ///   - connection: The database.
  /// - Throws: ``MergeError``.
  init(
    _ layouts: [TableLayout], keep: [Int: String], _ connection: Connection
  ) throws(MergeError) {
    self.connection = connection
    let keys = Dictionary(
      layouts.map { (SQLNames.folded($0.name), Set($0.key.map { SQLNames.folded($0.name) })) }
    ) { first, _ in first }
    for (number, layout) in layouts.enumerated() {
      let columns = try Self.columns(of: layout, referringTo: keys, connection)
      guard !columns.isEmpty else { continue }
      let name = "temp.\"_seed_guard_\(number)\""
      let stays = keep[number].map { condition in
        let row = layout.address.map { "t.\($0) IS old.\($0)" }.joined(separator: " AND ")
        return " WHEN NOT EXISTS (SELECT 1 FROM \(layout.sql) AS t WHERE \(row) AND (\(condition)))"
      }
      held.append(
        Held(
          number: number, name: name,
          sql: """
            CREATE TRIGGER \(name) BEFORE UPDATE OF \(SQLText.list(columns)) ON \
            \(layout.sql)\(stays ?? "") BEGIN SELECT RAISE(IGNORE); END
            """))
    }
  }

  /// The columns of a table that change by themselves with rows of other declared tables.
  private static func columns(
    of layout: TableLayout, referringTo keys: [String: Set<String>], _ connection: Connection
  ) throws(MergeError) -> [LayoutColumn] {
    let rows = try MergeError.at(layout.name) { () throws(SQLiteError) in
      try connection.rows(
        """
        SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?, 'main')
        WHERE on_update IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
        """, .text(layout.name))
    }
    var found: [SQLiteValue: (columns: [LayoutColumn], isWhole: Bool, isKey: Bool)] = [:]
    for row in rows {
      guard case .text(let parent) = row[1], let key = keys[SQLNames.folded(parent)],
        case .text(let from) = row[2]
      else { continue }
      var reference = found[row[0]] ?? ([], true, true)
      if let column = layout.columns.first(where: {
        SQLNames.folded($0.name) == SQLNames.folded(from)
      }) {
        reference.columns.append(column)
      } else {
        reference.isWhole = false
      }
      // Without a name it is the primary key.
      if case .text(let to) = row[3], !key.contains(SQLNames.folded(to)) { reference.isKey = false }
      found[row[0]] = reference
    }
    let held = found.values.filter { $0.isWhole && !$0.isKey }.flatMap(\.columns).map(\.name)
    return layout.columns.filter { held.contains($0.name) }
  }

  /// Whether there is anything to keep.
  var isIdle: Bool { held.isEmpty }

  /// Lets the rows of one table be written, and no other's be changed.
  func write(_ number: Int) throws(MergeError) {
    guard writing != number else { return }
    writing = number
    for index in held.indices { try set(index, isThere: held[index].number != number) }
  }

  /// Lets foreign keys act again.
  func end() throws(MergeError) {
    writing = nil
    for index in held.indices { try set(index, isThere: false) }
  }

  private func set(_ index: Int, isThere: Bool) throws(MergeError) {
    guard held[index].isThere != isThere else { return }
    let trigger = held[index]
    try MergeError.at("") { () throws(SQLiteError) in
      try connection.execute(isThere ? trigger.sql : "DROP TRIGGER \(trigger.name)")
    }
    held[index].isThere = isThere
  }
}
