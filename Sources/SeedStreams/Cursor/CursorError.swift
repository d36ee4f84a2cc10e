package import SeedSQLite

/// Why a position, or what a stream may write, cannot be read from a database.
package enum CursorError: Error, Sendable, Equatable {
  /// SQLite refuses.
  case database(SQLiteError)
  /// The tables hold what this version does not understand, and what it is.
  case malformed(String)

  /// Runs something that asks SQLite.
  static func inDatabase<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(CursorError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw .database(error)
    }
  }

  /// What is wrong, without the file.
  package var message: String {
    switch self {
    case .database(let error): error.message
    case .malformed(let why): why
    }
  }
}
