internal import SeedMerge
internal import SeedSQLite
internal import SeedStreams

/// What a table asks of its rows besides NOT NULL.
///
/// A database in the field goes on asking for it, whatever later ones do: rows that it does not take
/// stop its stream for good.
struct TableConstraints {
  /// One constraint, as people write it.
  struct Constraint {
    var text: String

    /// Whether it says the same: spaces, comments and quotes around names do not count.
    func isSame(as other: Constraint) -> Bool { SchemaText.isSame(text, other.text) }
  }

  var all: [Constraint] = []

  /// Reads what a database asks of a table's rows.
  ///
  /// - Parameters:
  ///   - table: The table. A constraint on columns only that the stream does not carry is the app's.
  ///   - connection: The database.
  /// - Throws: ``SQLiteError``.
  init(of table: StreamTable, in connection: Connection) throws(SQLiteError) {
    // What is generated follows from what is carried.
    let generated = try connection.rows(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3)", .text(table.name)
    ).compactMap { row in
      if case .text(let name) = row[0] { name } else { nil }
    }
    let carried = Set(table.columns.map(\.name) + generated)
    let rows = try connection.rows(
      """
      SELECT strict, (SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = l.name)
      FROM pragma_table_list AS l WHERE schema = 'main' AND name = ?
      """, .text(table.name))
    guard let row = rows.first, case .text(let sql) = row[1] else { return }
    if row[0] != .integer(0) { all.append(Constraint(text: "STRICT")) }
    all += CheckClauses.texts(in: sql).map { Constraint(text: "CHECK\($0)") }
    all += try Self.references(of: table.name, carried, connection)
    all += try Self.uniqueIndexes(of: table.name, carried, connection)
  }

  private static func references(
    of table: String, _ carried: Set<String>, _ connection: Connection
  ) throws(SQLiteError) -> [Constraint] {
    // Without its columns a reference means the parent's primary key.
    let rows = try connection.rows(
      """
      SELECT f.id, f."table", f."from", coalesce(f."to",
        (SELECT name FROM pragma_table_info(f."table") WHERE pk = f.seq + 1), '')
      FROM pragma_foreign_key_list(?) AS f ORDER BY f.id, f.seq
      """, .text(table))
    var found: [(id: SQLiteValue, parent: String, from: [String], to: [String])] = []
    for row in rows {
      guard case .text(let parent) = row[1], case .text(let from) = row[2],
        case .text(let to) = row[3]
      else { continue }
      if found.last?.id == row[0] {
        found[found.count - 1].from.append(from)
        found[found.count - 1].to.append(to)
      } else {
        found.append((row[0], parent, [from], [to]))
      }
    }
    return found.filter { isCarried($0.from, carried) }.map {
      Constraint(
        text: "FOREIGN KEY(\(list($0.from))) REFERENCES \(SQLiteName.quoted($0.parent))"
          + "(\(list($0.to)))")
    }
  }

  private static func uniqueIndexes(
    of table: String, _ carried: Set<String>, _ connection: Connection
  ) throws(SQLiteError) -> [Constraint] {
    let indexes = try connection.rows(
      """
      SELECT name, partial, (SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = l.name)
      FROM pragma_index_list(?) AS l WHERE "unique" AND origin <> 'pk' ORDER BY seq DESC
      """, .text(table))
    var found: [Constraint] = []
    for index in indexes {
      let columns = try connection.rows(
        "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno", index[0])
      let names = columns.compactMap { column -> (name: String, collation: String)? in
        guard case .text(let name) = column[0], case .text(let collation) = column[1] else {
          return nil
        }
        return (name, collation)
      }
      if index[1] == .integer(0), names.count == columns.count {
        guard isCarried(names.map(\.name), carried) else { continue }
        // Whichever order they are declared in, the rows are the same.
        let terms = names.map { name, collation in
          SQLiteName.quoted(name)
            + (collation.uppercased() == "BINARY" ? "" : " COLLATE \(collation)")
        }
        found.append(Constraint(text: "UNIQUE(\(terms.sorted().joined(separator: ", ")))"))
      } else if case .text(let sql) = index[2], let start = sql.firstIndex(of: "(") {
        found.append(Constraint(text: "UNIQUE\(sql[start...])"))
      }
    }
    return found
  }

  private static func isCarried(_ names: [String], _ carried: Set<String>) -> Bool {
    names.contains { carried.contains($0) }
  }

  private static func list(_ names: [String]) -> String {
    names.map { SQLiteName.quoted($0) }.joined(separator: ", ")
  }
}

extension TableConstraints {
  /// Compares the tables that are published with those that are to be.
  ///
  /// - Parameters:
  ///   - old: The published state.
  ///   - new: The database.
  /// - Returns: Whether the database asks for more: the next snapshot has to say so.
  /// - Throws: ``StreamPublishError`` when it asks for less.
  static func compare(
    _ old: PublishedState, _ new: NewDatabase
  ) throws(StreamPublishError) -> Bool {
    var isTighter = false
    for table in new.tables {
      guard let known = old.tables.first(where: { $0.table.name == table.table.name }) else {
        continue
      }
      let (before, after) = try StreamPublishError.inDatabase(new.path) {
        () throws(SQLiteError) in
        (
          try TableConstraints(of: known.table, in: old.connection).all,
          try TableConstraints(of: table.table, in: new.connection).all
        )
      }
      for constraint in before where !after.contains(where: { $0.isSame(as: constraint) }) {
        throw StreamPublishError(
          .constraintGone(table: table.table.name, constraint: constraint.text), path: new.path)
      }
      if after.contains(where: { one in !before.contains { $0.isSame(as: one) } }) {
        isTighter = true
      }
    }
    return isTighter
  }
}
