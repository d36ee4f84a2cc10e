import SeedSQLite

/// The bytes that each table and index takes in the file.
///
/// Counted by SQLite's `dbstat` table, which not every SQLite has.
struct PageSizes {
  private var byteCounts: [String: Int64] = [:]
  /// Why there are no sizes, if there are none.
  private(set) var problem: String?

  /// No sizes, for those who do not ask.
  init() {}

  /// Counts the pages of a database, all of which are read for it.
  init(reading connection: Connection) {
    do throws(SQLiteError) {
      let statement = try connection.prepare(
        "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")
      while try statement.step() { byteCounts[statement.text(0)] = statement.integer(1) }
    } catch {
      byteCounts = [:]
      problem =
        error.message.hasPrefix("no such table")
        ? "no sizes of tables and indexes: this SQLite has no \"dbstat\""
        : "no sizes of tables and indexes: \(error.message)"
    }
  }

  /// The size of a table or index; nil when it is not known or not stored in pages.
  func byteCount(of name: String) -> Int64? {
    byteCounts[name]
  }
}
