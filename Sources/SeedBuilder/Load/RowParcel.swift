package import SeedInput
package import SeedModel
internal import SeedSQLite

/// Blocks of rows on their way into the database, with all the memory that their values point to.
///
/// The values point into three kinds of memory: the blocks' own, texts that open rows owned, and
/// the batches that the rows came in. All of it travels with the parcel, or with a later one, so
/// that none is used again before the rows are in.
final class RowParcel: @unchecked Sendable {
  // Unchecked: it belongs to one thread at a time, see ``RowInserter``.
  /// In the order in which they go in.
  private var blocks: [(block: RowBlock, insert: BulkInsert)] = []
  /// How many values the blocks have.
  private(set) var valueCount = 0
  /// The bytes of texts and batches that go when the parcel is emptied.
  private(set) var byteCount = 0
  private var texts: [UnsafeMutablePointer<UInt8>] = []
  private var batches: [(batch: TokenBatch, channel: HandoffChannel<TokenBatch>)] = []
  /// Blocks whose rows are in, to be filled again.
  private var spare: [RowBlock] = []

  /// So many blocks make a parcel full, however few values each has.
  static let mostBlocks = 64

  deinit {
    removeAll()
    for block in spare { block.deallocate() }
  }

  var isEmpty: Bool { blocks.isEmpty && texts.isEmpty && batches.isEmpty }
  var blockCount: Int { blocks.count }

  // MARK: The loading side

  /// Adds a block of rows.
  func append(_ block: RowBlock, _ insert: BulkInsert) {
    blocks.append((block, insert))
    valueCount += block.rowCount * insert.columnCount
  }

  /// Takes over texts that values point to.
  func keep(_ texts: [UnsafeMutablePointer<UInt8>], byteCount: Int) {
    self.texts += texts
    self.byteCount += byteCount
  }

  /// Takes over a batch that values point to; it goes back to its channel in the end.
  func keep(_ batch: TokenBatch, of channel: HandoffChannel<TokenBatch>) {
    batches.append((batch, channel))
    byteCount += batch.byteCount
  }

  /// An empty block of the common size, if there is one at hand.
  func takeSpare() -> RowBlock? { spare.popLast() }

  // MARK: The inserting side

  /// Inserts the rows.
  ///
  /// - Parameter refused: Called with the tables of which a row's key was taken.
  /// - Throws: ``SQLiteError``; the rows after those that failed are not in.
  func insert(refused: (Int) -> Void) throws(SQLiteError) {
    for (block, insert) in blocks {
      let isWhole = try insert.insert(block.values, rowCount: block.rowCount)
      if !isWhole { refused(block.table) }
    }
  }

  /// Lets go of all memory, most of it to be used again.
  func removeAll() {
    for (block, _) in blocks {
      guard block.capacity == RowBlock.commonCapacity, spare.count < RowParcel.mostBlocks else {
        block.deallocate()
        continue
      }
      var block = block
      block.removeAll()
      spare.append(block)
    }
    blocks.removeAll(keepingCapacity: true)
    for text in texts { text.deallocate() }
    texts.removeAll(keepingCapacity: true)
    for (batch, channel) in batches { channel.recycleEmptied(batch) }
    batches.removeAll(keepingCapacity: true)
    valueCount = 0
    byteCount = 0
  }
}

extension HandoffChannel<TokenBatch> {
  /// Gives a batch back to be filled again.
  package func recycleEmptied(_ batch: TokenBatch) {
    var batch = batch
    batch.removeAll()
    recycle(batch)
  }
}
