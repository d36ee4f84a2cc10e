package import SeedFiles
package import SeedFormat
package import SeedSQLite

/// Why a database file cannot be looked at.
package struct InspectionError: Error, Sendable {
  /// What stands in the way.
  package enum Reason: Sendable {
    /// There is no file at the path.
    case notFound
    /// The path leads to a directory.
    case directory
    /// The path leads to a pipe, a device or a socket.
    case notRegular
    /// The system refuses to open or read the file.
    case unreadable(FileError)
    /// The file is something else.
    case notADatabase(FileSignature)
    /// The end of the database is missing: it should have so many bytes.
    case cutOff(byteCount: Int64, expected: Int64)
    /// SQLite cannot read the database.
    case database(SQLiteError)
  }

  /// What stands in the way.
  package var reason: Reason
  /// The file.
  package var path: String

  /// Creates an error about a file.
  package init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }
}
