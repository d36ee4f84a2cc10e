package import SeedInput
package import SeedModel

/// One reading of one input: the reader on its own thread, what takes its batches on this one.
package struct DocumentReading {
  private let document: InputDocument
  private let pacing: Pacing

  /// More bytes of values than these do not wait between the threads, nor for a first plan: some
  /// rows may be as long as a row can be.
  static let mostWaitingBytes = 4 << 20

  /// How a reading ended.
  package enum Ending {
    /// At the end of the input.
    case complete(ReaderOutcome)
    /// Before its end, since what takes the batches wanted no more.
    case stopped
    /// The input has to be read in another way: nothing of what came counts.
    case revised
  }

  /// A reading in portions of the ordinary size.
  package init(document: InputDocument) {
    self.init(document: document, pacing: Pacing())
  }

  init(document: InputDocument, pacing: Pacing) {
    self.document = document
    self.pacing = pacing
  }

  /// Reads the input into a channel.
  ///
  /// - Parameter load: Takes the batches until there are no more, and gives them back; true when
  ///   it wants no more before.
  /// - Returns: How it ended.
  /// - Throws: ``InputError``, what the sources throw and what the closure throws.
  package func run(_ load: (HandoffChannel<TokenBatch>) throws -> Bool) throws -> Ending {
    let channel = HandoffChannel<TokenBatch>(
      depth: 3, mostBytes: DocumentReading.mostWaitingBytes, byteCount: { $0.byteCount },
      make: TokenBatch.init, free: { $0.deallocate() })
    let reader = WorkerThread { [document, pacing] in
      defer { channel.finish() }
      var (source, settings) = try document.open()
      settings.batchWordCount = pacing.batchWordCount
      return try DocumentReader.read(
        source, settings: settings, findings: document.findings, firstBatch: TokenBatch(),
        deliver: { channel.deliver($0) })
    }
    try reader.start()
    let loading = Result { try load(channel) }
    if case .success(false) = loading {} else { channel.cancel() }
    let reading = Result { try reader.join() }
    if document.findings.isRevised {
      // What comes of rows that were read in another way than they will be says nothing.
      try document.checkUnchanged()
      if case .failure(let error) = reading, !(error is StructureRevised) { throw error }
      return .revised
    }
    // A reader that was told to stop has no more to say.
    if try loading.get() { return .stopped }
    // Comes first: what a reader finds wrong in half-written bytes is not the document's fault.
    try document.checkUnchanged()
    return .complete(try reading.get())
  }
}
