internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// What the statements of a template declare beyond what Core Data does.
extension StoreTemplate {
  /// An index that takes each value, or each group of values, only once.
  struct UniqueIndex {
    var table: String
    var name: String
    /// Whether it has some of the rows only.
    var isPartial: Bool
    /// The columns in order, each with how its texts compare; an expression has no name.
    var columns: [(name: String?, collation: String)] = []

    /// The names of the columns, where all rows are in it and texts are the same only with the same
    /// bytes.
    var plainColumns: [String]? {
      guard !isPartial, columns.allSatisfy({ $0.name != nil && $0.collation == "BINARY" }) else {
        return nil
      }
      return columns.compactMap(\.name)
    }

    /// The unique indexes of a table, those of its own constraints included.
    ///
    /// - Throws: ``SQLiteError``.
    static func all(
      of table: String, _ connection: Connection, created: Bool = false
    ) throws(SQLiteError) -> [UniqueIndex] {
      let rows = try connection.rows(
        """
        SELECT l.name, l.partial, i.name, i.coll
        FROM pragma_index_list(?1) AS l, pragma_index_xinfo(l.name) AS i
        WHERE l."unique" AND i.key \(created ? "AND l.origin = 'c'" : "")
        ORDER BY l.name, i.seqno
        """, .text(table))
      var indexes: [UniqueIndex] = []
      for row in rows {
        guard case .text(let name) = row[0], case .text(let collation) = row[3] else { continue }
        if indexes.last?.name != name {
          indexes.append(UniqueIndex(table: table, name: name, isPartial: row[1] != .integer(0)))
        }
        let column: String? = if case .text(let column) = row[2] { column } else { nil }
        indexes[indexes.count - 1].columns.append((column, collation.uppercased()))
      }
      return indexes
    }
  }

  /// Whether a table declares nothing but names and types, as those that Core Data makes do.
  func isPlain(_ table: String) -> Bool {
    guard let columns = columns[table],
      let sql = objects.first(where: { $0.isTable && $0.name == table })?.sql
    else { return false }
    let list = columns.map { "\($0.name) \($0.type)" }
    var entity = list
    if !entity.isEmpty { entity[0] += " PRIMARY KEY" }
    let key = columns.prefix(2).map(\.name).joined(separator: ", ")
    let texts = [
      entity.joined(separator: ","), "\(list.joined(separator: ",")), PRIMARY KEY (\(key))",
    ]
    let own = Self.squeezed(sql)
    return texts.contains { Self.squeezed("CREATE TABLE \(table) (\($0))") == own }
  }

  /// A statement without what makes no difference to a plain table.
  private static func squeezed(_ sql: String) -> String {
    String(sql.filter { !$0.isWhitespace && $0 != "\"" }).uppercased()
  }

  /// Runs a statement of the template, and nothing that a store written by hand has behind it.
  ///
  /// - Throws: ``BuildError`` when it cannot be run here, as one that needs what only the app has;
  ///   ``SQLiteError``.
  func run(_ object: Object, _ connection: Connection) throws {
    do {
      try connection.run(object.sql)
    } catch {
      throw refusal(of: object.name, error)
    }
  }

  /// Does something to a table of the template whose checks and triggers may refuse it.
  ///
  /// - Throws: ``BuildError`` when they do; ``SQLiteError``.
  func allowing<Result>(_ table: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw refusal(of: table, error)
    }
  }

  /// Copies the rows of a table that is none of Core Data.
  ///
  /// - Throws: ``BuildError``, ``InspectionError``, ``SQLiteError``.
  func copyRows(of table: String, to connection: Connection) throws {
    let source = try Inspection.connection(toDatabaseAt: path)
    let columns = try source.rows(
      "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid", .text(table)
    ).compactMap { row in if case .text(let name) = row[0] { SQLiteName.quoted(name) } else { nil }
    }
    let (name, list) = (SQLiteName.quoted(table), columns.joined(separator: ", "))
    let rows = try source.prepare("SELECT \(list) FROM \(name)")
    let insert = try prepare(
      "INSERT OR ABORT INTO \(name) (\(list)) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))", for: table, connection)
    while try rows.step() {
      for index in columns.indices {
        try insert.bind(Int32(index + 1), rows.value(Int32(index)))
      }
      _ = try allowing(table) { try insert.step() }
      insert.reset()
    }
  }

  /// Prepares a statement about a table of the template, whose constraints may ask for what only the
  /// app has.
  ///
  /// - Throws: ``BuildError``, ``SQLiteError``.
  func prepare(_ sql: String, for table: String, _ connection: Connection) throws -> Statement {
    do {
      return try connection.prepare(sql)
    } catch {
      throw refusal(of: table, error)
    }
  }

  private func refusal(of name: String, _ error: SQLiteError) -> any Error {
    if error.isMisuse {
      return Self.failure(
        "the template has more than one statement for \"\(name)\"", path,
        hint: "let the app write the template anew")
    }
    guard error.isStatementFault || error.constraint != nil else { return error }
    return Self.failure(
      "\"\(name)\" of the template \"\(path)\" cannot be used: \(error.message)", path,
      hint: "have the app write a template without it")
  }
}
