/// The first rows of a table, shortened.
package struct TableSample: Sendable, Hashable {
  /// One value.
  package enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// A text, or its beginning; the size is that of the whole in UTF-8.
    case text(String, isCut: Bool, byteCount: Int64)
    /// A blob, of which only the size is told.
    case blob(byteCount: Int64)
  }

  /// Why rows are missing.
  package enum Gap: Sendable, Hashable {
    /// SQLite cannot read them.
    case unreadable(String)
    /// The samples of the tables before took all the room there is.
    case noRoom
  }

  /// The names of the columns shown, the first ones of the table.
  package var columns: [String] = []
  /// The rows in the order of the table's own key.
  package var rows: [[Value]] = []
  /// Why rows are missing, if they are.
  package var gap: Gap?

  /// Creates a sample.
  package init(columns: [String] = [], rows: [[Value]] = [], gap: Gap? = nil) {
    self.columns = columns
    self.rows = rows
    self.gap = gap
  }
}
