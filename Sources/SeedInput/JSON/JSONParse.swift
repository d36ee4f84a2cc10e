internal import SeedModel

/// One reading of a JSON text: a loop over its bytes that keeps what is open in a stack of its own.
///
/// The loop looks at a window of the text; zeros follow the window, so that its end is met like any
/// other byte that does not belong where it stands.
struct JSONParse {
  /// What may come next.
  enum State {
    /// The text's value; in lines, the value of the next one.
    case start
    case firstName, name, colon, value, firstItem, item
    /// A comma or the end of the object or array.
    case more
    /// Nothing; in lines, the end of the line.
    case end
  }

  var window: TextWindow
  /// The end of the window.
  var end: UnsafePointer<UInt8>
  var tokenizer: ObjectTokenizer
  let name: String
  let isLines: Bool
  private let source: any ByteSource
  private let longestValue = InputLimits.rowBytes
  /// The line at hand, from 1.
  var line: UInt32 = 1
  /// Where the value, name or mark at hand starts in the text.
  var tokenOffset: Int64 {
    get { tokenizer.tokenPlace.offset }
    set { tokenizer.tokenPlace.offset = newValue }
  }
  /// The place of what starts there, if it is so long that its start is gone from the window.
  private(set) var longTokenPlace: (offset: Int64, place: (SourceLocation, SourceExcerpt?))?
  private var hasValue = false
  private var isInArray = false

  init(
    _ source: any ByteSource, settings: ReaderSettings, pieceByteCount: Int,
    tokenizer: ObjectTokenizer
  ) {
    self.source = source
    self.tokenizer = tokenizer
    name = settings.name
    isLines = settings.format == .ndjson
    window = TextWindow(pieceByteCount: pieceByteCount)
    end = UnsafePointer(window.bytes)
  }

  func deallocate() {
    window.deallocate()
    tokenizer.deallocate()
  }

  /// Reads the whole text; true when nobody wanted all of it.
  ///
  /// - Throws: ``InputError``.
  mutating func run() throws -> Bool {
    var p = UnsafePointer(window.bytes)
    do {
      if isLines { try tokenizer.startArray(line: 1) }
      try parse(&p)
      if isLines { try tokenizer.endArray() }
      try tokenizer.finish()
      return false
    } catch let failure as ObjectFailure {
      return try stop(failure)
    }
  }

  // MARK: The loop

  private mutating func parse(_ p: inout UnsafePointer<UInt8>) throws {
    var state = State.start
    while true {
      var byte = p.pointee
      while byte <= 0x20 {
        if byte == 0x20 {
          p += 1
        } else if byte == 0x0A {
          if isLines { state = try endLine(state, at: p) }
          line &+= 1
          p += 1
        } else if byte == 0x0D || byte == 0x09 {
          p += 1
        } else if byte == 0, p == end {
          if try !refill(&p) { return try endText(state, at: p) }
        } else {
          throw wrongByte(at: p)
        }
        byte = p.pointee
      }
      switch state {
      case .firstName, .name:
        guard byte == UInt8(ascii: "\"") else {
          guard state == .firstName, byte == UInt8(ascii: "}") else {
            throw nameExpected(isFirst: state == .firstName, at: p)
          }
          p += 1
          try endObject(&state)
          continue
        }
        try takeName(&p)
        if p.pointee == UInt8(ascii: ":") {
          p += 1
          state = .value
        } else {
          state = .colon
        }
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw colonExpected(at: p) }
        p += 1
        state = .value
      case .firstItem:
        if byte == UInt8(ascii: "]") {
          p += 1
          try endArray(&state)
        } else {
          try takeValue(byte, &p, &state)
        }
      case .start:
        if !isLines, byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") {
          throw containerExpected(at: p)
        }
        hasValue = true
        try takeValue(byte, &p, &state)
      case .value, .item: try takeValue(byte, &p, &state)
      case .more:
        if byte == UInt8(ascii: ",") {
          p += 1
          state = isInArray ? .item : .name
        } else if byte == UInt8(ascii: "}"), !isInArray {
          p += 1
          try endObject(&state)
        } else if byte == UInt8(ascii: "]"), isInArray {
          p += 1
          try endArray(&state)
        } else {
          throw commaExpected(at: p)
        }
      case .end: throw endExpected(at: p)
      }
    }
  }

  @inline(__always)
  private mutating func takeName(_ p: inout UnsafePointer<UInt8>) throws {
    tokenOffset = offset(of: p)
    if tokenizer.top.pointee.kind == .collection {
      p += 1
      tokenizer.startKey()
      try text(&p, isName: true)
      return try tokenizer.endKey()
    }
    let link = tokenizer.expectedMember(at: p + 1, end: end)
    if link >= 0 {
      p += tokenizer.places.links[Int(link)].byteCount + 2
      try tokenizer.takeMember(link)
    } else {
      try takeOtherName(&p)
    }
  }

  private mutating func takeOtherName(_ p: inout UnsafePointer<UInt8>) throws {
    let start = tokenizer.batch.byteCount
    p += 1
    try text(&p, isName: true)
    let count = tokenizer.batch.byteCount - start
    tokenizer.batch.byteCount = start
    try tokenizer.member(UnsafePointer(tokenizer.batch.bytes + start), count: count)
  }

  @inline(__always)
  private mutating func takeValue(
    _ byte: UInt8, _ p: inout UnsafePointer<UInt8>, _ state: inout State
  ) throws {
    tokenOffset = offset(of: p)
    switch byte {
    case UInt8(ascii: "\""):
      let start = tokenizer.batch.byteCount
      p += 1
      try text(&p, isName: false)
      try tokenizer.endValue(from: start, line: line)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = tokenizer.batch.byteCount
      let isInteger = try number(&p)
      try tokenizer.endValue(
        from: start, line: line, isInteger ? [.plain, .bare] : [.plain, .bare, .real])
    case UInt8(ascii: "{"):
      p += 1
      try tokenizer.startObject(line: line)
      isInArray = false
      state = .firstName
      return
    case UInt8(ascii: "["):
      p += 1
      try tokenizer.startArray(line: line)
      isInArray = true
      state = .firstItem
      return
    default: try takeWord(&p, isAfterComma: state == .item)
    }
    state = tokenizer.openCount > lowestDepth ? .more : .end
  }

  /// In lines, each value is an item of one array that the text does not have.
  @inline(__always)
  private var lowestDepth: Int { isLines ? 1 : 0 }

  @inline(__always)
  private mutating func endObject(_ state: inout State) throws {
    try tokenizer.endObject()
    isInArray = tokenizer.isInArray
    state = tokenizer.openCount > lowestDepth ? .more : .end
  }

  @inline(__always)
  private mutating func endArray(_ state: inout State) throws {
    try tokenizer.endArray()
    isInArray = tokenizer.isInArray
    state = tokenizer.openCount > lowestDepth ? .more : .end
  }

  /// `true`, `false` and `null`.
  private mutating func takeWord(
    _ p: inout UnsafePointer<UInt8>, isAfterComma: Bool
  ) throws {
    if end - p < 6 { _ = try refill(&p) }
    if has("null", at: p) {
      try tokenizer.null(line: line)
      p += 4
      return
    }
    for (word, count) in [("true", 4), ("false", 5)] as [(StaticString, Int)]
    where has(word, at: p) {
      let start = tokenizer.batch.byteCount
      tokenizer.batch.append(bytes: p, count: count)
      p += count
      return try tokenizer.endValue(from: start, line: line, [.plain, .bare])
    }
    throw valueExpected(isAfterComma: isAfterComma, at: p)
  }

  /// Whether a word stands here and no letter goes on with it.
  func has(_ word: StaticString, at p: UnsafePointer<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    for index in 0..<count where p[index] != word.utf8Start[index] { return false }
    return !JSONParse.isWordByte(p[count])
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }

  // MARK: The window

  @inline(__always)
  func offset(of p: UnsafePointer<UInt8>) -> Int64 {
    window.startOffset + Int64(p - UnsafePointer(window.bytes))
  }

  /// Reads on; false at the end of the text.
  ///
  /// - Throws: what the source throws.
  mutating func refill(_ p: inout UnsafePointer<UInt8>) throws -> Bool {
    let position = p - UnsafePointer(window.bytes)
    keepPlace(before: position)
    let (count, index) = window.refill(keeping: position, from: source)
    p = UnsafePointer(window.bytes) + index
    end = UnsafePointer(window.bytes) + window.count
    tokenizer.inputBytesRead = window.startOffset + Int64(window.count)
    if count == 0, let failure = window.failure { throw failure }
    return count > 0
  }

  /// Notes where the token at hand starts before the window lets go of that.
  private mutating func keepPlace(before position: Int) {
    let start = Int(tokenOffset - window.startOffset)
    guard start >= 0, position - start > TextWindow.historyByteCount else { return }
    longTokenPlace = (tokenOffset, window.place(of: start, file: name))
  }

  /// Fails when a value has become longer than a record may be.
  func checkLength(from start: Int, isName: Bool, at p: UnsafePointer<UInt8>) throws {
    let count = tokenizer.batch.byteCount - start
    if isName, count > InputLimits.nameBytes {
      throw error(.tooLong(what: "a name", limit: InputLimits.nameBytes), at: tokenOffset)
    }
    if count > longestValue {
      throw error(.tooLong(what: "a value", limit: longestValue), at: tokenOffset)
    }
  }

  // MARK: Ends

  private func endLine(_ state: State, at p: UnsafePointer<UInt8>) throws -> State {
    switch state {
    case .start, .end: return .start
    default: throw lineEnds(at: p)
    }
  }

  private func endText(_ state: State, at p: UnsafePointer<UInt8>) throws {
    switch state {
    case .end: return
    case .start where hasValue: return
    case .start: throw nothingThere(at: p)
    default: throw textEnds(at: p)
    }
  }

  private mutating func stop(_ failure: ObjectFailure) throws -> Bool {
    switch failure {
    case .cancelled: return true
    case .limit(let reason): throw error(reason, at: tokenOffset)
    case .duplicate(let name): throw duplicate(name)
    }
  }
}
