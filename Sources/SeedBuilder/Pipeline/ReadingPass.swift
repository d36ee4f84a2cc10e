internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// One reading of all inputs into a loader: the reader on its own thread, the loader on this one, and
/// its rows go in on a third.
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
    let isEnded = Result { try loadBatches(of: channel, before: before, read: &read) }
    // Rows may have failed to go in before anything else went wrong.
    try loader.drain()
    return try isEnded.get()
  }

  private func loadBatches(
    of channel: HandoffChannel<TokenBatch>, before: Int64, read: inout Int64
  ) throws -> Bool {
    var held: [TokenBatch] = []
    defer { for batch in held { channel.recycleEmptied(batch) } }
    var heldByteCount = 0
    var observer = FactObserver()
    var isSampling = !loader.hasPlan
    var batchCount = 0
    while let batch = channel.next() {
      batchCount += 1
      read = batch.inputBytesRead
      held.append(batch)
      let hasNew = try loader.define(batch)
      if isSampling {
        loader.observe(batch, with: &observer)
        heldByteCount += batch.byteCount
        guard
          held.count >= pacing.sampleBatchCount || heldByteCount > DocumentReading.mostWaitingBytes
        else { continue }
        isSampling = false
        try loadHeld(&held, channel, hasNewDefinitions: false)
      } else {
        try loadHeld(&held, channel, hasNewDefinitions: hasNew)
      }
      onBatch(before + read)
      if mustStop(after: batchCount) { return true }
    }
    try loadHeld(&held, channel, hasNewDefinitions: false)
    return mustStop(after: batchCount)
  }

  private func loadHeld(
    _ held: inout [TokenBatch], _ channel: HandoffChannel<TokenBatch>, hasNewDefinitions: Bool
  ) throws {
    while !held.isEmpty {
      try loader.load(
        held.removeFirst(), hasNewDefinitions: hasNewDefinitions, returningTo: channel)
    }
  }

  private func mustStop(after batchCount: Int) -> Bool {
    loader.isDoomed && mayStopEarly && batchCount <= pacing.cheapBatchCount
  }
}
