internal import SeedModel

/// Turns libxml2's callbacks into tokens.
///
/// A struct behind a pointer, not a class: each callback then reaches its state without the checks
/// that Swift makes for a class's properties.
struct XMLTokenizer {
  private struct OpenElement {
    var place: Int32
    var hasChild = false
  }

  private(set) var batch = TokenBatch()
  private var places = XMLPlaceTable()
  private var open: [OpenElement] = []
  /// Where in the batch's bytes the current run of text starts.
  private var textStart = 0
  /// Whether the current run has anything but blanks.
  private var textIsBlank = true
  /// The bytes of the run, and of the tag's values, for the bound on a row.
  private var hasStarted = false

  /// Hands a complete batch over and gives an empty one; nil when nobody wants more.
  private let deliver: (TokenBatch) -> TokenBatch?

  /// Why the parse must stop.
  enum Failure: Error {
    case limit(InputError.Reason)
    case cancelled
  }

  init(deliver: @escaping (TokenBatch) -> TokenBatch?, firstBatch: TokenBatch) {
    self.deliver = deliver
    batch.deallocate()
    batch = firstBatch
    open.reserveCapacity(InputLimits.depth)
  }

  /// The start tag of an element; its attributes follow at once with ``attribute(_:bytes:count:)``.
  mutating func start(_ name: XMLPlaceTable.NameKey, line: UInt32) throws(Failure) {
    if batch.byteCount > textStart { try endTextRun(isLeaf: false) }
    guard open.count < InputLimits.depth else { throw .limit(.tooDeep) }
    let parent = open.last.map { Int($0.place) } ?? -1
    if parent >= 0 { open[open.count - 1].hasChild = true }
    let place: Int
    do {
      place = try places.place(name, below: parent, definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    open.append(OpenElement(place: Int32(place)))
    batch.append(word: Token.start | UInt32(place))
    batch.append(word: line)
    textStart = batch.byteCount
  }

  @inline(__always)
  mutating func attribute(
    _ name: XMLPlaceTable.NameKey, bytes: UnsafePointer<UInt8>, count: Int
  ) throws(Failure) {
    let field: Int
    do {
      field = try places.field(
        name, of: Int(open[open.count - 1].place), definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    batch.append(word: Token.field | UInt32(field))
    batch.append(word: UInt32(count))
    batch.append(bytes: bytes, count: count)
    textStart = batch.byteCount
  }

  /// A piece of text; several pieces make a run.
  @inline(__always)
  mutating func characters(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    if textIsBlank {
      for index in 0..<count where !XMLTokenizer.isBlank(bytes[index]) {
        textIsBlank = false
        break
      }
    }
    if batch.byteCount - textStart + count > InputLimits.rowBytes {
      throw .limit(.tooLong(what: "the text of an element", limit: InputLimits.rowBytes))
    }
    batch.append(bytes: bytes, count: count)
  }

  mutating func end(inputBytesRead: Int64) throws(Failure) {
    guard let element = open.popLast() else { return }
    if batch.byteCount > textStart { try endTextRun(isLeaf: !element.hasChild, of: element) }
    batch.append(word: Token.end)
    textStart = batch.byteCount
    // Whole records stay together where that is possible, so that a batch shows their shape.
    let isFull =
      batch.byteCount >= TokenBatch.preferredByteCount
      || batch.wordCount >= TokenBatch.preferredWordCount
    let isOverfull =
      batch.byteCount >= 4 * TokenBatch.preferredByteCount
      || batch.wordCount >= 4 * TokenBatch.preferredWordCount
    if isFull && (open.count <= 2 || isOverfull) {
      try flush(inputBytesRead: inputBytesRead)
    }
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
  }

  private mutating func endTextRun(isLeaf: Bool, of closed: OpenElement? = nil) throws(Failure) {
    defer {
      textStart = batch.byteCount
      textIsBlank = true
    }
    guard let element = closed ?? open.last, isLeaf || !textIsBlank else {
      // Blanks between elements are formatting.
      batch.truncateBytes(to: textStart)
      return
    }
    do {
      try places.defineText(of: Int(element.place), definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    batch.append(word: Token.text | (textIsBlank ? 1 : 0))
    batch.append(word: UInt32(batch.byteCount - textStart))
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

  func deallocate() {
    batch.deallocate()
  }
}
