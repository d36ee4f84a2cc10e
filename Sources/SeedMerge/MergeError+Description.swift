internal import SeedSQLite

extension MergeError: CustomStringConvertible {
  /// Table and reason on one line: `table "product": UNIQUE constraint failed: product.code`.
  package var description: String {
    switch reason {
    case .foreignKeys, .changedByForeignKeys: return message
    default: break
    }
    return table.isEmpty ? message : "\(place): \(message)"
  }

  private var place: String {
    schema == "main" ? "table \"\(table)\"" : "table \"\(table)\" of \"\(schema)\""
  }

  /// What is wrong, without the table.
  package var message: String {
    switch reason {
    case .noSuchTable: "there is no such table"
    case .notAnOrdinaryTable(let kind): "it is no ordinary table but a \(kind)"
    case .noSuchColumn(let column): "there is no column \"\(column)\""
    case .generatedColumn(let column): "column \"\(column)\" is a generated one"
    case .keyIsNotUnique([]): "it has no PRIMARY KEY and no UNIQUE index over NOT NULL columns"
    case .keyIsNotUnique(let columns):
      "no primary key and no UNIQUE index is over \(Self.list(columns))"
    case .keyColumnNotGiven(let column):
      "column \"\(column)\" of the key is not among the columns to be written"
    case .columnNotDeclared(let column): "column \"\(column)\" may not be written"
    case .columnNotGiven(let column):
      "rows come back without a value for \"\(column)\", which has a UNIQUE index"
    case .tableNotDeclared: "the table may not be written, or is declared twice"
    case .nullInKey(let column): "a row has NULL in column \"\(column)\" of its key"
    case .notAnInteger(let column, let value):
      "\(value) in column \"\(column)\" is not an integer"
    case .constraint(_, let message): message
    case .foreignKeys(let violations): violations.map(\.description).joined(separator: "; ")
    case .changedByForeignKeys(let tables): Self.lines(tables).joined(separator: "; ")
    case .leftParked(let rows):
      "a trigger keeps rows from the unique values that the seed brings: \(Self.keys(rows))"
    case .referenceNotKept(let columns, let parent, let action):
      "rows refer by \(columns.map { "\"\($0)\"" }.joined(separator: ", ")) to \"\(parent)\", where "
        + "unique values move, and cannot be kept from ON UPDATE \(action)"
    case .database: sqlite?.description ?? "the database refuses"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .noSuchTable, .noSuchColumn:
      "bring the database's schema up to date before rows are written"
    case .keyIsNotUnique: "declare a PRIMARY KEY, or a UNIQUE index without WHERE, over the key"
    case .constraint(.unique, _), .constraint(.primaryKey, _):
      "change the row of the app's own that has the value already"
    case .changedByForeignKeys:
      "let these rows refer to others, or let the action be another one"
    case .leftParked: "have the trigger let the rows be updated, by a migration"
    case .referenceNotKept: "declare ON UPDATE CASCADE or NO ACTION, by a migration"
    case .notAnInteger: "give the row a whole number, or declare the key as TEXT"
    case .foreignKeys:
      "remove the rows that refer to rows that are gone, or declare ON DELETE CASCADE or SET NULL"
    case .database: sqlite?.hint
    default: nil
    }
  }

  /// What to say of each table whose rows foreign keys would delete or change.
  package static func lines(_ tables: [TakenKeys]) -> [String] {
    tables.map { rows in
      let keys = Self.keys(rows)
      return "table \"\(rows.table)\": a foreign key's ON DELETE or ON UPDATE action would delete "
        + "or change what the seed brings: \(keys)"
    }
  }

  private static func keys(_ rows: TakenKeys) -> String {
    let more = rows.count - Int64(rows.keys.count)
    return rows.keys.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private static func list(_ names: [String]) -> String {
    "(" + names.map { "\"\($0)\"" }.joined(separator: ", ") + ")"
  }
}
