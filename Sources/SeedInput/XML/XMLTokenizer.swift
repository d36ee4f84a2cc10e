internal import SeedModel

/// Turns libxml2's callbacks into tokens.
///
/// A struct behind a pointer, not a class: each callback then reaches its state without the checks
/// that Swift makes for a class's properties.
struct XMLTokenizer {
  private struct OpenElement {
    var place: Int32
    var line: UInt32
    var hasChild = false
  }

  private(set) var batch = TokenBatch()
  private var places = XMLPlaceTable()
  /// The open elements; room for as many as the limit allows.
  private let open: UnsafeMutablePointer<OpenElement>
  private var openCount = 0
  /// Where in the batch's bytes the current run of text starts.
  private var textStart = 0
  /// Where the values of the element start to which that text belongs, or its text alone does.
  private var contentStart = 0
  /// The places whose elements were said to be rows.
  private var arrays: Set<Int32> = []
  /// Whether the current run has anything but blanks.
  private var textIsBlank = true
  // Bounds of another module, kept here for the loops.
  private let fullByteCount = TokenBatch.preferredByteCount
  private let fullWordCount: Int
  private let longestContent = InputLimits.rowBytes
  private let deepest = InputLimits.depth

  /// Hands a complete batch over and gives an empty one; nil when nobody wants more.
  private let deliver: (TokenBatch) -> TokenBatch?

  /// Why the parse must stop.
  enum Failure: Error {
    case limit(InputError.Reason)
    /// What is too large began in this line.
    case limitOf(InputError.Reason, line: UInt32)
    case cancelled
  }

  init(
    deliver: @escaping (TokenBatch) -> TokenBatch?, firstBatch: TokenBatch, batchWordCount: Int
  ) {
    self.deliver = deliver
    fullWordCount = batchWordCount
    batch.deallocate()
    batch = firstBatch
    open = .allocate(capacity: InputLimits.depth)
  }

  /// The start tag of an element; its attributes follow at once with ``attribute(_:bytes:count:)``.
  mutating func start(_ name: XMLPlaceTable.NameKey, line: UInt32) throws(Failure) {
    if batch.byteCount > textStart { try endTextRun(isLeaf: false) }
    guard openCount < deepest else { throw .limit(.tooDeep) }
    var parent = -1
    if openCount > 0 {
      parent = Int(open[openCount - 1].place)
      open[openCount - 1].hasChild = true
    }
    let place: Int
    do {
      place = try places.place(name, below: parent, definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    (open + openCount).initialize(to: OpenElement(place: Int32(place), line: line))
    openCount += 1
    batch.appendStart(place: place, line: line)
    textStart = batch.byteCount
    contentStart = textStart
  }

  @inline(__always)
  mutating func attribute(
    _ name: XMLPlaceTable.NameKey, bytes: UnsafePointer<UInt8>, count: Int
  ) throws(Failure) {
    let field: Int
    do {
      field = try places.field(
        name, of: Int(open[openCount - 1].place), definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    batch.appendField(field, bytes, count: count)
    textStart = batch.byteCount
  }

  /// Makes the text since the last token the value of an attribute of the element that is open.
  ///
  /// - Precondition: No child of the element is open.
  mutating func endAttribute(_ name: XMLPlaceTable.NameKey) throws(Failure) {
    let field: Int
    do {
      field = try places.field(
        name, of: Int(open[openCount - 1].place), definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    batch.appendField(field, count: batch.byteCount - textStart)
    textStart = batch.byteCount
    textIsBlank = true
  }

  /// Says that the elements like the one that is open are rows, however many there are.
  mutating func noteArray() {
    noteArray(place: open[openCount - 1].place)
  }

  private mutating func noteArray(place: Int32) {
    guard arrays.insert(place).inserted else { return }
    batch.definitions.append(.array(place: Int(place)))
  }

  /// Makes the child `name` of the element that is open a table, even if there is none.
  mutating func defineRows(
    _ name: XMLPlaceTable.NameKey, columns: [XMLPlaceTable.NameKey]
  ) throws(Failure) {
    do {
      let place = try places.place(
        name, below: Int(open[openCount - 1].place), definitions: &batch.definitions)
      noteArray(place: Int32(place))
      for column in columns {
        _ = try places.field(column, of: place, definitions: &batch.definitions)
      }
    } catch {
      throw XMLTokenizer.failure(error)
    }
  }

  /// A piece of text; several pieces make a run.
  @inline(__always)
  mutating func characters(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    if textIsBlank {
      var index = 0
      while index < count, XMLTokenizer.isBlank(bytes[index]) { index += 1 }
      textIsBlank = index == count
    }
    if batch.byteCount - contentStart + count > longestContent {
      throw .limitOf(
        .tooLong(what: "the content of an element", limit: longestContent),
        line: openCount > 0 ? open[openCount - 1].line : 0)
    }
    batch.append(bytes: bytes, count: count)
  }

  mutating func end(inputBytesRead: Int64) throws(Failure) {
    guard openCount > 0 else { return }
    if batch.byteCount > textStart { try endTextRun(isLeaf: !open[openCount - 1].hasChild) }
    openCount -= 1
    batch.appendEnd()
    textStart = batch.byteCount
    contentStart = textStart
    // Whole records stay together where that is possible, so that a batch shows their shape.
    guard batch.byteCount >= fullByteCount || batch.wordCount >= fullWordCount else { return }
    let isOverfull =
      batch.byteCount >= 4 * fullByteCount || batch.wordCount >= 4 * fullWordCount
    if openCount <= 2 || isOverfull { try flush(inputBytesRead: inputBytesRead) }
  }

  /// Leaves the batch and who takes it to another tokenizer; this one gives out nothing any more.
  mutating func handOver() -> (batch: TokenBatch, deliver: (TokenBatch) -> TokenBatch?) {
    let handed = batch
    batch = TokenBatch()
    return (handed, deliver)
  }

  /// Hands over what is there.
  mutating func flush(inputBytesRead: Int64) throws(Failure) {
    batch.inputBytesRead = inputBytesRead
    guard let next = deliver(batch) else {
      // The batch is gone; an empty one keeps the state sound until the parser stops.
      batch = TokenBatch()
      throw .cancelled
    }
    batch = next
    textStart = 0
    contentStart = 0
  }

  /// Ends the text before a tag, so that it can be handed over by itself.
  mutating func endText() throws(Failure) {
    if batch.byteCount > textStart { try endTextRun(isLeaf: false) }
  }

  /// Hands over the tokens that are there, all from one place; while a text goes on, they wait.
  mutating func flush(at place: TokenPlace, inputBytesRead: Int64) throws(Failure) {
    guard batch.byteCount == textStart, batch.wordCount > 0 || !batch.definitions.isEmpty else {
      return
    }
    batch.places = [place]
    try flush(inputBytesRead: inputBytesRead)
  }

  private mutating func endTextRun(isLeaf: Bool) throws(Failure) {
    defer {
      textStart = batch.byteCount
      textIsBlank = true
    }
    guard openCount > 0, isLeaf || !textIsBlank else {
      // Blanks between elements are formatting.
      batch.byteCount = textStart
      return
    }
    do {
      try places.defineText(of: Int(open[openCount - 1].place), definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    batch.appendText(isBlank: textIsBlank, count: batch.byteCount - textStart)
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  private static func failure(_ failure: XMLPlaceTable.Failure) -> Failure {
    switch failure {
    case .tooManyPlaces:
      .limit(.tooMany(what: "different paths of elements", limit: InputLimits.places))
    case .tooManyFields:
      .limit(.tooMany(what: "different attributes", limit: InputLimits.fields))
    case .nameTooLong: .limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
  }

  /// The line of the innermost open element; 0 when none is open.
  var openLine: Int { openCount > 0 ? Int(open[openCount - 1].line) : 0 }

  func deallocate() {
    open.deallocate()
    places.deallocate()
    batch.deallocate()
  }
}
