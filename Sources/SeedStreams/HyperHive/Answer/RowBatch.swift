internal import SeedSQLite

/// Rows that wait to be written, by the addresses of their texts in a scanner's window.
internal final class RowBatch {
  internal let columnCount: Int
  /// The row that is being read; texts are counted from the scanner's mark until it is complete.
  internal let row: UnsafeMutablePointer<BoundValue>
  private let values: UnsafeMutablePointer<BoundValue>
  private let capacity: Int
  private var count = 0
  private let write: (UnsafePointer<BoundValue>, Int) throws -> Void

  /// A batch that hands its rows over when it is full, or when their texts are about to move.
  internal init(
    columnCount: Int, capacity: Int,
    write: @escaping (UnsafePointer<BoundValue>, Int) throws -> Void
  ) {
    self.columnCount = columnCount
    self.capacity = capacity
    self.write = write
    row = .allocate(capacity: columnCount)
    row.initialize(repeating: .null, count: columnCount)
    values = .allocate(capacity: columnCount * capacity)
    values.initialize(repeating: .null, count: columnCount * capacity)
  }

  deinit {
    row.deallocate()
    values.deallocate()
  }

  /// Takes the row that was read.
  ///
  /// - Parameter base: Where the scanner's mark is in memory.
  /// - Throws: What writing throws.
  @inline(__always)
  internal func append(from base: UnsafeMutablePointer<UInt8>) throws {
    let target = values + count * columnCount
    let address = UInt64(UInt(bitPattern: base))
    for column in 0..<columnCount {
      var value = row[column]
      if value.kind == .text { value.bits &+= address }
      target[column] = value
    }
    count += 1
    if count == capacity { try flush() }
  }

  /// Hands over what waits.
  internal func flush() throws {
    guard count > 0 else { return }
    let rowCount = count
    count = 0
    try write(values, rowCount)
  }
}
