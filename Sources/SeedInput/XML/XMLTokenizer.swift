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
  // Bounds of another module, kept here for the loops.
  private let fullByteCount = TokenBatch.preferredByteCount
  private let fullWordCount = TokenBatch.preferredWordCount
  private let longestText = InputLimits.rowBytes
  private let deepest = InputLimits.depth

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
    guard open.count < deepest else { throw .limit(.tooDeep) }
    let parent = open.last.map { Int($0.place) } ?? -1
    if parent >= 0 { open[open.count - 1].hasChild = true }
    let place: Int
    do {
      place = try places.place(name, below: parent, definitions: &batch.definitions)
    } catch {
      throw XMLTokenizer.failure(error)
    }
    open.append(OpenElement(place: Int32(place)))
    batch.appendStart(place: place, line: line)
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
    batch.appendField(field, bytes, count: count)
    textStart = batch.byteCount
  }

  /// A piece of text; several pieces make a run.
  @inline(__always)
  mutating func characters(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) {
    if textIsBlank {
      var index = 0
      while index < count, XMLTokenizer.isBlank(bytes[index]) { index += 1 }
      textIsBlank = index == count
    }
    if batch.byteCount - textStart + count > longestText {
      throw .limit(.tooLong(what: "the text of an element", limit: longestText))
    }
    batch.append(bytes: bytes, count: count)
  }

  mutating func end(inputBytesRead: Int64) throws(Failure) {
    guard let element = open.popLast() else { return }
    if batch.byteCount > textStart { try endTextRun(isLeaf: !element.hasChild, of: element) }
    batch.appendEnd()
    textStart = batch.byteCount
    // Whole records stay together where that is possible, so that a batch shows their shape.
    guard batch.byteCount >= fullByteCount || batch.wordCount >= fullWordCount else { return }
    let isOverfull =
      batch.byteCount >= 4 * fullByteCount || batch.wordCount >= 4 * fullWordCount
    if open.count <= 2 || isOverfull { try flush(inputBytesRead: inputBytesRead) }
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
      batch.byteCount = textStart
      return
    }
    do {
      try places.defineText(of: Int(element.place), definitions: &batch.definitions)
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

  func deallocate() {
    batch.deallocate()
  }
}
