package import SeedSQLite

/// Rows of one table that go in with one run of a statement.
///
/// Plain memory that the loading thread fills and the inserting one reads; it belongs to whoever
/// has it. A block serves the rows of any table, one after the other.
package struct RowBlock {
  /// The values, row by row.
  package let values: UnsafeMutablePointer<BoundValue>
  /// How many values there is room for.
  let capacity: Int
  /// How many rows go in with one run.
  package internal(set) var rowCapacity = 0
  package var rowCount = 0
  /// The number of the table whose rows these are.
  var table = 0
  /// Texts that were made for the rows, such as converted dates.
  private let scratch: UnsafeMutablePointer<UInt8>
  private var scratchCount = 0

  /// What most blocks have room for; there is a bound on the rows of a statement to match.
  static let commonCapacity = 256

  init(capacity: Int = RowBlock.commonCapacity) {
    self.capacity = capacity
    values = .allocate(capacity: capacity)
    scratch = .allocate(capacity: capacity * ColumnConverter.scratchSize)
    values.initialize(repeating: .null, count: capacity)
  }

  func deallocate() {
    values.deallocate()
    scratch.deallocate()
  }

  /// Makes the block empty again.
  mutating func removeAll() {
    rowCount = 0
    scratchCount = 0
  }

  /// Where the next converted text may be written.
  @inline(__always)
  package var freeScratch: UnsafeMutablePointer<UInt8> { scratch + scratchCount }

  /// Keeps the converted text that was written last.
  @inline(__always)
  package mutating func keepScratch(_ count: Int) { scratchCount += count }
}
