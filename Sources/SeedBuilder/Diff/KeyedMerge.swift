import SeedSQLite

/// Compares two tables whose rows come in the order of a key that identifies them.
struct KeyedMerge {
  private var old: RowCursor
  private var new: RowCursor
  private let key: [KeyColumn]
  private var tally: RowTally

  /// Prepares the comparison; the key's columns are the first of both queries.
  init(old: RowCursor, new: RowCursor, key: [KeyColumn], tally: RowTally) {
    self.old = old
    self.new = new
    self.key = key
    self.tally = tally
  }

  /// Goes through both tables once.
  ///
  /// - Throws: ``SQLiteError`` when a row cannot be read.
  mutating func run() throws(SQLiteError) -> TableDifference {
    try old.advance()
    try new.advance()
    while old.hasRow || new.hasRow {
      let order = !old.hasRow ? 1 : !new.hasRow ? -1 : keyOrder
      if order < 0 {
        tally.remove(old.statement)
        try old.advance()
      } else if order > 0 {
        tally.add(new.statement)
        try new.advance()
      } else {
        tally.compare(old.statement, new.statement)
        try old.advance()
        try new.advance()
      }
    }
    return tally.difference
  }

  /// Which of the current rows comes first; zero when they have the same key.
  private var keyOrder: Int {
    for (position, column) in key.enumerated() {
      let order = StoredValue.order(
        old.statement, new.statement, Int32(position), column.collation)
      if order != 0 { return column.isDescending ? -order : order }
    }
    return 0
  }
}
