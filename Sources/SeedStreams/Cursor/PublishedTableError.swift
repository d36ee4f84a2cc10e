internal import SeedModel
internal import SeedSQLite

/// Why the tables of a stream cannot be told.
package enum PublishedTableError: Error, Sendable, Equatable {
  /// The database, or what it declares, cannot be read.
  case cursor(CursorError)
  /// Several streams are declared, and none was named.
  case severalStreams([String])
  /// A stream's name that cannot be a folder's and a part of a URL.
  case invalidName(String)
  /// Neither declared nor ordinary tables.
  case noTables
  /// A table is declared that the database does not have.
  case missingTable(String)
  /// A column is declared that the database does not have, or that is computed.
  case missingColumn(table: String, column: String)
  /// A table without a primary key and without a UNIQUE index over columns that are NOT NULL.
  case noKey(table: String)
  /// The columns that are declared as the key identify no row: no UNIQUE index is over them.
  case keyWithoutIndex(table: String, key: [String])
  /// The table belongs to another stream already.
  case tableOfTwoStreams(table: String, stream: String)

  /// Runs something that asks SQLite.
  static func inDatabase<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(PublishedTableError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw .cursor(.database(error))
    }
  }

  /// What is wrong, without the file.
  package var message: String {
    switch self {
    case .cursor(let error): error.message
    case .severalStreams(let names):
      "declares several streams: \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .invalidName(let name): "\"\(name)\" cannot be a stream's name"
    case .noTables: "has no table that could be published"
    case .missingTable(let table):
      "declares table \"\(table)\" for the stream, which it does not have"
    case .missingColumn(let table, let column):
      "declares column \"\(column)\" of table \"\(table)\" for the stream, which is not stored"
    case .noKey(let table):
      "table \"\(table)\" has no primary key and no UNIQUE index over columns that are NOT NULL"
    case .keyWithoutIndex(let table, let key):
      "no UNIQUE index of table \"\(table)\" is over the key that is declared: "
        + key.map { "\"\($0)\"" }.joined(separator: ", ")
    case .tableOfTwoStreams(let table, let stream):
      "table \"\(table)\" belongs to stream \"\(stream)\" already"
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch self {
    case .cursor(let error):
      if case .database(let cause) = error { cause.hint } else { nil }
    case .severalStreams: "name one with --stream"
    case .invalidName: StreamName.hint
    case .noTables, .missingTable, .missingColumn: "build the database with the tables to publish"
    case .noKey: "give the table a primary key"
    case .keyWithoutIndex: "declare the primary key, or add a UNIQUE index over the key"
    case .tableOfTwoStreams(_, let stream):
      "publish with --stream \"\(stream)\"; for another stream, build the database anew"
    }
  }
}
