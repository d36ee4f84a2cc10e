package import SeedSQLite

/// Rows of one table that are put together, up to as many as go in with one run of a statement.
package struct RowBuffer {
  /// What inserts them.
  package var insert: BulkInsert?
  /// The rows; there is none before the first of them.
  package var block: RowBlock?

  /// A buffer of rows that a statement inserts.
  package init(insert: BulkInsert? = nil) {
    self.insert = insert
  }

  package func deallocate() { block?.deallocate() }

  /// Sees to it that there is a block for the next row.
  @inline(__always)
  package mutating func open(_ inserter: RowInserter) {
    if block == nil { take(from: inserter) }
  }

  @inline(never)
  private mutating func take(from inserter: RowInserter) {
    guard let insert else { preconditionFailure("a table has its statement before it has rows") }
    block = inserter.takeBlock(
      rowCapacity: insert.rowCapacity, columnCount: insert.columnCount)
  }

  /// Whether no further row goes in with the same run.
  @inline(__always)
  package var isFull: Bool {
    guard let block else { return false }
    return block.rowCount == block.rowCapacity
  }

  /// Adds a row of two numbers.
  ///
  /// - Precondition: There is a block, and it is not full.
  mutating func add(_ first: Int64, _ second: Int64) {
    guard var block else { preconditionFailure("a row is added to a block") }
    let row = block.values + block.rowCount * 2
    row[0] = .integer(first)
    row[1] = .integer(second)
    block.rowCount += 1
    self.block = block
  }

  /// Hands the rows over.
  ///
  /// - Throws: ``SQLiteError``.
  package mutating func flush(to inserter: RowInserter, table: Int) throws(SQLiteError) {
    guard var full = block, full.rowCount > 0, let insert else { return }
    block = nil
    full.table = table
    try inserter.append(full, insert)
  }
}
