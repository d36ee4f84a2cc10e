internal import SeedSQLite

/// Why an answer is not stored; the database is then as it was.
public struct StoringError: Error, Sendable, Hashable {
  /// What is in the way.
  public enum Reason: Sendable, Hashable {
    /// The values of a column are not of the type that the table declares.
    case typeConflict(column: String, declared: String, value: String)
    /// A record has no value where the table, or its key, needs one.
    case missingValue(column: String)
    /// The name is that of a view or a virtual table.
    case notATable
    /// Options name a table that neither the answer nor the database has.
    case noSuchTable
    /// Options name a key with a column that the answer's records do not have.
    case noSuchKey(column: String)
    /// A text has U+0000 in it, which SQLite's functions take for its end.
    case nulCharacter
    /// The answer is neither an object nor an array.
    case noRecords
    /// A constraint of the database is in the way, in SQLite's words.
    case constraint(String)
    /// Another connection writes and does not end.
    case busy
    /// SQLite refuses, in its words.
    case database(String, code: Int32)
  }

  /// What is in the way.
  public var reason: Reason
  /// The table; nil where none is concerned.
  public var table: String?
  /// The database.
  public var path: String

  internal init(_ reason: Reason, table: String? = nil, path: String) {
    self.reason = reason
    self.table = table
    self.path = path
  }

  internal init(_ error: SQLiteError, table: String?, path: String) {
    let reason: Reason =
      if error.constraint != nil {
        .constraint(error.message)
      } else if error.isBusy {
        .busy
      } else {
        .database(error.message, code: error.code)
      }
    self.init(reason, table: table, path: path)
  }
}

extension StoringError: CustomStringConvertible {
  /// The database, the table and what is wrong, on one line.
  public var description: String {
    path + ": " + (table.map { "table \"\($0)\": " } ?? "") + message
  }

  /// What is wrong.
  public var message: String {
    switch reason {
    case .typeConflict(let column, let declared, let value):
      "\"\(value)\" does not fit column \"\(column)\", which is declared \(declared)"
    case .missingValue(let column): "a record has no value for column \"\(column)\""
    case .notATable: "this is a view or a virtual table"
    case .noSuchTable: "neither the answer nor the database has it"
    case .noSuchKey(let column): "the answer's records have no \"\(column)\" to be a key"
    case .nulCharacter: "a text has U+0000 in it"
    case .noRecords: "the answer is neither an object nor an array"
    case .constraint(let text): text
    case .busy: "another connection writes"
    case .database(let text, let code): "\(text) (SQLite \(code))"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  public var hint: String? {
    switch reason {
    case .typeConflict: "declare the column as TEXT in the table's first version"
    case .missingValue: "leave NOT NULL out of the table, with declaresNotNull"
    case .notATable, .noSuchTable: "correct the table's name in the options"
    case .noSuchKey: "correct the key in the options"
    case .nulCharacter, .noRecords: nil
    case .constraint: "name the key of the table in the options, to update rows that are there"
    case .busy: "try again later, or wait longer with busyTimeout"
    case .database: nil
    }
  }
}
