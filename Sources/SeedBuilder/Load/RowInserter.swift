package import SeedInput
package import SeedModel
package import SeedSQLite

/// Inserts rows on a thread of its own, so that the loading one need not.
///
/// Used by the loading thread, which hands on blocks of rows; they go in in this order. While any
/// are under way, the connection belongs to the inserting thread: whoever wants to use it calls
/// ``drain()`` before. A failure comes out of the next call here; it is that of the first row that
/// failed, and nothing goes in after it.
///
/// The thread is started when there are many rows for it. Those of a small document go in at once,
/// and so do all where no thread is to be had.
package final class RowInserter {
  /// How many values make a parcel that is worth handing on.
  private let parcelValueCount: Int
  private var parcel = RowParcel()
  private let channel: HandoffChannel<RowParcel>
  private var thread: WorkerThread<Void>?
  private let outcome = Outcome()

  /// More bytes of values than these do not wait, and a parcel with more of them goes in before the
  /// loading goes on: some rows may be as long as a row can be.
  private static let mostWaitingBytes = 1 << 20

  /// What came of the rows.
  private final class Outcome: @unchecked Sendable {
    // Unchecked: the inserting thread writes while it has a parcel, the loading one reads after it
    // gave all of them back or cancelled their channel, whose lock lies between.
    var failure: SQLiteError?
    var refusedTables: [Int] = []

    func insert(_ parcel: RowParcel) throws(SQLiteError) {
      do throws(SQLiteError) {
        try parcel.insert { refusedTables.append($0) }
      } catch {
        failure = error
        throw error
      }
    }
  }

  /// Prepares the inserting.
  ///
  /// - Parameter parcelValueCount: How many values are handed on together.
  package init(parcelValueCount: Int = 4096) {
    self.parcelValueCount = parcelValueCount
    channel = HandoffChannel(
      depth: 2, mostBytes: RowInserter.mostWaitingBytes, byteCount: { $0.byteCount },
      make: RowParcel.init, free: { $0.removeAll() })
  }

  deinit { stop() }

  // MARK: Rows

  /// An empty block with room for so many rows.
  func takeBlock(rowCapacity: Int, columnCount: Int) -> RowBlock {
    let valueCount = rowCapacity * columnCount
    var block =
      valueCount > RowBlock.commonCapacity
      ? RowBlock(capacity: valueCount) : parcel.takeSpare() ?? RowBlock()
    block.rowCapacity = rowCapacity
    return block
  }

  /// Takes a block of rows, to be inserted after those that came before.
  ///
  /// - Throws: ``SQLiteError``.
  func append(_ block: RowBlock, _ insert: BulkInsert) throws(SQLiteError) {
    parcel.append(block, insert)
    if parcel.valueCount >= parcelValueCount || parcel.blockCount >= RowParcel.mostBlocks {
      try send()
    }
  }

  /// Takes over texts that appended rows point to.
  ///
  /// - Throws: ``SQLiteError``.
  package func keep(_ texts: [UnsafeMutablePointer<UInt8>], byteCount: Int) throws(SQLiteError) {
    parcel.keep(texts, byteCount: byteCount)
    if parcel.byteCount > RowInserter.mostWaitingBytes { try send() }
  }

  /// Takes over a batch that appended rows point to.
  ///
  /// - Throws: ``SQLiteError``.
  package func keep(_ batch: TokenBatch, of channel: HandoffChannel<TokenBatch>) throws(SQLiteError) {
    parcel.keep(batch, of: channel)
    try send()
  }

  /// Waits until all appended rows are in; the connection is free then.
  ///
  /// - Throws: ``SQLiteError``.
  package func drain() throws(SQLiteError) {
    try send()
    channel.drain()
    if let failure = outcome.failure { throw failure }
  }

  /// Whether there were rows enough for the thread.
  var hasThread: Bool { thread != nil }

  /// The tables of which a row did not go in because its key was taken.
  ///
  /// - Precondition: ``drain()`` came after the last row.
  package func takeRefusedTables() -> [Int] {
    defer { outcome.refusedTables = [] }
    return outcome.refusedTables
  }

  // MARK: The thread

  private func send() throws(SQLiteError) {
    guard !parcel.isEmpty else { return }
    guard isRunning else {
      defer { parcel.removeAll() }
      return try outcome.insert(parcel)
    }
    let isHuge = parcel.byteCount > RowInserter.mostWaitingBytes
    guard let next = channel.deliver(parcel) else {
      parcel = RowParcel()
      guard let failure = outcome.failure else {
        preconditionFailure("the thread ends early with a failure only")
      }
      throw failure
    }
    parcel = next
    if isHuge { channel.drain() }
  }

  /// Whether the thread runs; it is started when the parcel is worth it.
  private var isRunning: Bool {
    if thread != nil { return true }
    guard outcome.failure == nil, parcel.valueCount >= parcelValueCount else { return false }
    let worker = WorkerThread { [channel, outcome] in
      while let parcel = channel.next() {
        do {
          try outcome.insert(parcel)
        } catch {
          channel.cancel()
          return
        }
        parcel.removeAll()
        channel.recycle(parcel)
      }
    }
    guard case .success = Result(catching: { try worker.start() }) else { return false }
    thread = worker
    return true
  }

  /// Ends the thread; nothing may be appended any more.
  ///
  /// What was appended since the last ``drain()`` may be in or not.
  package func stop() {
    channel.finish()
    if let thread { _ = Result { try thread.join() } }
    thread = nil
    // What a failure left over still has statements and batches.
    while let left = channel.next() { left.removeAll() }
    parcel.removeAll()
  }
}
