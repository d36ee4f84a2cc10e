package import SeedFormat

/// What `seed inspect` says about a database.
package struct DatabaseReport: Sendable, Hashable {
  /// A trigger and the table or view it belongs to.
  package struct Trigger: Sendable, Hashable {
    /// The trigger's name.
    package var name: String
    /// The table or view.
    package var table: String
  }

  /// The database's path as given.
  package var path: String
  /// The file's size.
  package var byteCount: Int64
  /// The page size in bytes.
  package var pageSize: Int
  /// The number of pages.
  package var pageCount: Int64
  /// The pages that hold nothing.
  package var freePageCount: Int64
  /// How texts are stored.
  package var textEncoding: String
  /// Whether the file is in WAL mode.
  package var isWriteAheadLogging: Bool
  /// `PRAGMA user_version`.
  package var userVersion: Int64
  /// `PRAGMA application_id`.
  package var applicationID: Int64
  /// The stamp of the build that made the database.
  package var stamp: SeedStamp?
  /// The tables by name, those of SQLite and of this tool last.
  package var tables: [TableReport]
  /// The names of the views.
  package var views: [String]
  /// The triggers by name.
  package var triggers: [Trigger]
  /// What could not be told, and why.
  package var notes: [String]
}
