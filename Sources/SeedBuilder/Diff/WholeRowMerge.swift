import SeedFiles
import SeedFormat
import SeedSQLite

/// Compares two tables in which nothing identifies a row, by how often each occurs.
///
/// The rows come in SQLite's order, to which `1` and `1.0` are one value. Among rows that are equal
/// in that sense, those that differ after all are kept by their digests until the others come.
struct WholeRowMerge {
  private var old: RowCursor
  private var new: RowCursor
  private let columns: Range<Int32>
  private var tally: RowTally
  /// The rows without a counterpart so far, all equal to SQLite.
  private var unmatched: [[UInt8]: Unmatched] = [:]
  /// The digest that the rows in ``unmatched`` share.
  private var identity: [UInt8] = []

  /// How often a row occurs in the new table more than in the old one.
  private struct Unmatched {
    var surplus: Int64
    var row: TableDifference.Row
  }

  /// Prepares the comparison of the first columns, by which both queries are ordered.
  init(old: RowCursor, new: RowCursor, columnCount: Int32, tally: RowTally) {
    self.old = old
    self.new = new
    columns = 0..<columnCount
    self.tally = tally
  }

  /// Goes through both tables once.
  ///
  /// - Throws: ``SQLiteError`` when a row cannot be read.
  mutating func run() throws(SQLiteError) -> TableDifference {
    try old.advance()
    try new.advance()
    while old.hasRow || new.hasRow {
      let order = !old.hasRow ? 1 : !new.hasRow ? -1 : rowOrder
      if order == 0, areEqual {
        try old.advance()
        try new.advance()
        continue
      }
      if order <= 0 {
        note(old.statement, surplus: -1)
        try old.advance()
      }
      if order >= 0 {
        note(new.statement, surplus: 1)
        try new.advance()
      }
    }
    settle()
    return tally.difference
  }

  private var rowOrder: Int {
    for column in columns {
      let order = StoredValue.order(old.statement, new.statement, column, .binary)
      if order != 0 { return order }
    }
    return 0
  }

  private var areEqual: Bool {
    columns.allSatisfy { StoredValue.areEqual(old.statement, new.statement, $0) }
  }

  /// Sets a row off against one of the other table, or keeps it for later.
  private mutating func note(_ row: Statement, surplus: Int64) {
    let identity = digest(of: row, isExact: false)
    if identity != self.identity {
      settle()
      self.identity = identity
    }
    let digest = digest(of: row, isExact: true)
    var entry = unmatched[digest] ?? Unmatched(surplus: 0, row: tally.sample(of: row))
    entry.surplus += surplus
    unmatched[digest] = entry.surplus == 0 ? nil : entry
  }

  /// Counts the rows that stay without a counterpart, in an order that does not depend on chance.
  private mutating func settle() {
    for (_, entry) in unmatched.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      tally.count(entry.row, isAdded: entry.surplus > 0, times: abs(entry.surplus))
    }
    unmatched = [:]
  }

  /// The digest of a row; unless it is exact, that of all rows that are equal to SQLite.
  private func digest(of row: Statement, isExact: Bool) -> [UInt8] {
    var bytes = DigestBytes()
    var digest = SHA256Digest()
    for column in columns {
      // Every value leaves its mark, so that none is taken for one of another column.
      if row.columnType(column) == .null { bytes.append(UInt8(ascii: "n")) }
      if !isExact, row.columnType(column) == .real, let integer = Int64(exactly: row.real(column)) {
        bytes.append(integerValue: integer)
      } else {
        bytes.append(valueAt: column, of: row)
      }
    }
    bytes.flush(into: &digest)
    return digest.finalize()
  }
}
