internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// One reading of all inputs into a loader: the reader on its own thread, the loader on this one.
struct ReadingPass {
  let documents: [InputDocument]
  let loader: Loader
  /// Whether a wrong plan may end the pass early; if not, it goes on to learn all it can.
  let mayStopEarly: Bool
  let pacing: Pacing
  let onBatch: (_ inputBytesRead: Int64) -> Void

  /// What a pass found besides rows and facts.
  struct Outcome {
    var undeclaredPrefixes: [(prefix: String, location: SourceLocation)] = []
    /// What the readers have to say.
    var remarks: [Diagnostic] = []
    var stoppedEarly = false
    /// Whether an input turned out to have to be read in another way: nothing of the pass counts.
    var isRevised = false
  }

  /// Reads and loads everything.
  ///
  /// - Throws: ``InputError``, ``SQLiteError`` and what the sources throw.
  func run() throws -> Outcome {
    var outcome = Outcome()
    var bytesBefore: Int64 = 0
    for document in documents {
      loader.startDocument(named: document.name)
      var readByteCount: Int64 = 0
      let ending = try DocumentReading(document: document, pacing: pacing).run { channel in
        try load(from: channel, before: bytesBefore, read: &readByteCount)
      }
      switch ending {
      case .revised:
        outcome.isRevised = true
        return outcome
      case .stopped:
        outcome.stoppedEarly = true
        return outcome
      case .complete(let read):
        outcome.undeclaredPrefixes += read.undeclaredPrefixes
        outcome.remarks += read.remarks
        bytesBefore += readByteCount
      }
    }
    try loader.startLoading()
    return outcome
  }

  /// Loads one document's batches; true when the pass was ended early.
  private func load(
    from channel: HandoffChannel<TokenBatch>, before: Int64, read: inout Int64
  ) throws -> Bool {
    var held: [TokenBatch] = []
    defer { for batch in held { recycle(batch, channel) } }
    var heldByteCount = 0
    var observer = FactObserver()
    var isSampling = !loader.hasPlan
    var batchCount = 0
    while let batch = channel.next() {
      batchCount += 1
      read = batch.inputBytesRead
      let hasNew = try loader.define(batch)
      if isSampling {
        loader.observe(batch, with: &observer)
        held.append(batch)
        heldByteCount += batch.byteCount
        guard
          held.count >= pacing.sampleBatchCount || heldByteCount > DocumentReading.mostWaitingBytes
        else { continue }
        isSampling = false
        try loadHeld(&held, channel)
      } else {
        defer { recycle(batch, channel) }
        try loader.load(batch, hasNewDefinitions: hasNew)
      }
      onBatch(before + read)
      if mustStop(after: batchCount) { return true }
    }
    if isSampling, !held.isEmpty { try loadHeld(&held, channel) }
    return mustStop(after: batchCount)
  }

  private func loadHeld(_ held: inout [TokenBatch], _ channel: HandoffChannel<TokenBatch>) throws {
    while !held.isEmpty {
      try loader.load(held[0], hasNewDefinitions: false)
      recycle(held.removeFirst(), channel)
    }
  }

  private func recycle(_ batch: TokenBatch, _ channel: HandoffChannel<TokenBatch>) {
    var batch = batch
    batch.removeAll()
    channel.recycle(batch)
  }

  private func mustStop(after batchCount: Int) -> Bool {
    loader.isDoomed && mayStopEarly && batchCount <= pacing.cheapBatchCount
  }
}
