internal import SeedBuilder
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// One reading of all inputs into the tables of a store, or in search of some objects.
struct RowPass {
  private let load: RowLoad
  private let learnt: LearntFacts
  private let rows: StoreRows?
  private let search: ObjectSearch?
  /// Follows the tokens one by one, if the reading is for their places.
  private let trace: TokenTrace?
  let misfits: RowMisfits
  let usage = RuleUsage()
  let conversions: ConversionBook
  private(set) var objectCount: Int64 = 0
  /// What the readers have to say.
  private(set) var remarks: [Diagnostic] = []

  init(
    load: RowLoad, learnt: LearntFacts, rows: StoreRows? = nil, search: ObjectSearch? = nil,
    trace: TokenTrace? = nil
  ) {
    self.trace = trace
    misfits = RowMisfits(trace: trace)
    self.load = load
    self.learnt = learnt
    self.rows = rows
    self.search = search ?? trace.map { ObjectSearch(tracing: $0) }
    conversions = ConversionBook(rules: load.rules, learnt: learnt)
  }

  /// Reads everything.
  ///
  /// - Parameter onBatch: Takes the bytes read and the objects so far.
  /// - Returns: False when all has to be read again with what was learnt.
  /// - Throws: ``InputError``, ``SQLiteError`` and others.
  mutating func run(_ onBatch: (Int64, Int64) -> Void) throws -> Bool {
    guard !load.documents.isEmpty else { return true }
    // Behind a pointer, so that its loops run without checks for exclusivity.
    let assembler = UnsafeMutablePointer<ObjectAssembler>.allocate(capacity: 1)
    assembler.initialize(
      to: ObjectAssembler(book(0), rows: rows, search: search))
    defer {
      // Rows may still point into memory of the assembler and its book.
      rows?.stop()
      assembler.pointee.deallocate()
      assembler.deinitialize(count: 1)
      assembler.deallocate()
    }
    do {
      return try run(assembler, onBatch)
    } catch is RereadNeeded {
      conversions.learn()
      return false
    }
  }

  private mutating func run(
    _ assembler: UnsafeMutablePointer<ObjectAssembler>, _ onBatch: (Int64, Int64) -> Void
  ) throws -> Bool {
    var bytesBefore: Int64 = 0
    for (number, document) in load.documents.enumerated() {
      assembler.pointee.start(book(number))
      if let trace {
        if try self.trace(document, trace, assembler) { break }
        continue
      }
      var read: Int64 = 0
      let countBefore = assembler.pointee.objectCount
      let ending = try DocumentReading(document: document).run { channel in
        let isEnded = Result { () throws -> Bool in
          while let batch = channel.next() {
            read = batch.inputBytesRead
            try take(batch, channel, assembler)
            onBatch(bytesBefore + read, assembler.pointee.objectCount)
            if misfits.isFull || search?.isDone == true { return true }
          }
          return false
        }
        // Rows may have failed to go in before anything else went wrong.
        try rows?.drain()
        return try isEnded.get()
      }
      switch ending {
      case .revised:
        conversions.learn()
        return false
      case .stopped:
        objectCount = assembler.pointee.objectCount
        return true
      case .complete(let outcome):
        let book = assembler.pointee.book
        book.reportEmptyRecords()
        book.noteEmptyFields()
        remarks += outcome.remarks + remarks(on: book)
        if assembler.pointee.objectCount == countBefore, book.hasOtherElements {
          remarks.append(noObjects(in: document))
        }
      }
      try check(assembler.pointee.envelope, of: document)
      bytesBefore += read
    }
    objectCount = assembler.pointee.objectCount
    return true
  }

  /// Reads a document for the places of its tokens; true when no more is wanted.
  private func trace(
    _ document: InputDocument, _ trace: TokenTrace,
    _ assembler: UnsafeMutablePointer<ObjectAssembler>
  ) throws -> Bool {
    trace.startDocument()
    var isStopped = false
    let misfits = misfits
    try document.readTokens { batch in
      try trace.each(of: batch) { try assembler.pointee.load($0) }
      isStopped = misfits.isFull || trace.isDone
      return isStopped
    }
    if !isStopped { assembler.pointee.book.reportEmptyRecords() }
    return isStopped
  }

  /// Takes a batch; its memory is used again when its rows are in.
  private func take(
    _ batch: TokenBatch, _ channel: HandoffChannel<TokenBatch>,
    _ assembler: UnsafeMutablePointer<ObjectAssembler>
  ) throws {
    do {
      try assembler.pointee.load(batch)
    } catch {
      // Rows of it may be under way.
      rows?.stop()
      channel.recycleEmptied(batch)
      throw error
    }
    guard let rows else { return channel.recycleEmptied(batch) }
    try rows.endBatch(batch, of: channel)
  }

  /// What to say about what was made of a document.
  private func remarks(on book: RoleBook) -> [Diagnostic] {
    book.archivedNumbers.sorted().map { attribute in
      Diagnostic(
        .warning,
        "numbers and truth values in the arrays and dictionaries of \(attribute) are archived as "
          + "texts", at: SourceLocation(file: book.document.name),
        hint: "give the archive in base64 if the app expects numbers")
    }
  }

  private func noObjects(in document: InputDocument) -> Diagnostic {
    Diagnostic(
      .warning, "no record of it is called like an entity of the model, and none is stored",
      at: SourceLocation(file: document.name),
      hint: "name the entity in seed.json: \(load.plan.entityList)")
  }

  private func book(_ number: Int) -> RoleBook {
    RoleBook(
      load.documents[number], number: number, plan: load.plan, mapping: load.options.mapping,
      conversions: conversions, misfits: misfits, learnt: learnt, usage: usage)
  }

  /// Looks whether an answer in an envelope holds data at all.
  private func check(_ members: [String?], of document: InputDocument) throws {
    guard let envelope = document.input.envelope, let success = envelope.success else { return }
    guard let value = members[0] else {
      throw failure(
        "the answer has no \"\(success)\"", document, hint: "correct the envelope in seed.json")
    }
    guard value != "true", value != "1" else { return }
    if let words = members[1], !words.isEmpty {
      throw failure("the server says: \(words)", document, hint: nil)
    }
    throw failure("the server says that it failed, and not why", document, hint: nil)
  }

  private func failure(_ message: String, _ document: InputDocument, hint: String?) -> BuildError {
    BuildError(
      .input, [Diagnostic(.error, message, at: SourceLocation(file: document.name), hint: hint)])
  }
}
