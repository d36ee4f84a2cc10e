internal import SeedModel

/// The parser's end of the filter: gives out bytes and values, and finds places for errors.
struct XMLFilterReader {
  private let channel: HandoffChannel<XMLFilterChunk>
  private let name: String
  /// The pieces that the parser is in, and some before them for the sake of errors.
  private var chunks: [XMLFilterChunk] = []
  /// Which of them the parser gets bytes from.
  private var reading = -1
  /// Which of them has the next value.
  private var valued = 0
  /// Which of them ``line(ofTagBefore:)`` goes on searching in.
  private var searched = 0

  /// The parser gets at least as many bytes at a time, but at the end.
  private static let fewestBytes = 64

  /// How many bytes of the document before the parser stay at hand for errors, about.
  private static let keptByteCount = 2 * TextWindow.readByteCount

  init(channel: HandoffChannel<XMLFilterChunk>, name: String) {
    self.channel = channel
    self.name = name
  }

  func deallocate() {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Gives the parser its next bytes; 0 at the end.
  ///
  /// - Parameters:
  ///   - buffer: Where they go.
  ///   - capacity: How many there is room for.
  ///   - parserOffset: How much of its input the parser is done with.
  /// - Returns: How many there are.
  /// - Throws: What the filter found wrong, once all before it was given.
  mutating func read(
    into buffer: UnsafeMutablePointer<UInt8>, capacity: Int, parserOffset: Int64
  ) throws -> Int {
    releaseTakenValues()
    var filled = 0
    // libxml2 looks some bytes ahead of what it reads in one go, and little may be left of a piece.
    while filled < min(capacity, XMLFilterReader.fewestBytes) {
      if reading < 0 || chunks[reading].output.isEmpty {
        if reading >= 0, let failure = chunks[reading].failure {
          if filled > 0 { break }
          throw failure
        }
        releaseOldest(before: parserOffset)
        guard let next = channel.next() else { break }
        chunks.append(next)
        reading = chunks.count - 1
      }
      filled += chunks[reading].output.take(into: buffer + filled, capacity: capacity - filled)
    }
    return filled
  }

  /// Gives back the memory of huge values that were taken: nobody points into it any more.
  private mutating func releaseTakenValues() {
    for index in chunks.indices where !chunks[index].values.hasWaiting {
      chunks[index].values.releaseHugeMemory()
    }
  }

  /// The parser may be several pieces behind, where little of them is left for it.
  private mutating func releaseOldest(before parserOffset: Int64) {
    while reading > 0, chunks[0].output.endOffset <= parserOffset,
      valued > 0 || !chunks[0].values.hasWaiting, bytesBehindOldest >= XMLFilterReader.keptByteCount
    {
      var oldest = chunks.removeFirst()
      oldest.removeAll()
      channel.recycle(oldest)
      reading -= 1
      valued = max(0, valued - 1)
      searched = max(0, searched - 1)
    }
  }

  private var bytesBehindOldest: Int {
    chunks.dropFirst().reduce(0) { $0 + $1.original.count }
  }

  /// Takes the value for a placeholder; nil when these bytes are none.
  ///
  /// The pointer is good until the next ``read(into:capacity:)``.
  @inline(__always)
  mutating func value(
    for placeholder: UnsafePointer<UInt8>
  ) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    while !chunks[valued].values.hasWaiting {
      guard valued + 1 < chunks.count else { return nil }
      valued += 1
    }
    guard chunks[valued].values.nextTextOffset < 0,
      XMLFilterOutput.isPlaceholder(placeholder, of: chunks[valued].values.nextNumber)
    else {
      return nil
    }
    return chunks[valued].values.takeNext()
  }

  /// Takes the text that stood before this offset of the parser's input; nil when there is none.
  ///
  /// The pointer is good until the next ``read(into:capacity:)``.
  @inline(__always)
  mutating func text(before offset: Int64) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    while !chunks[valued].values.hasWaiting {
      guard valued + 1 < chunks.count else { return nil }
      valued += 1
    }
    let textOffset = chunks[valued].values.nextTextOffset
    guard textOffset >= 0, textOffset < offset else { return nil }
    return chunks[valued].values.takeNext()
  }

  /// The line of the start tag whose end stands at this offset of the parser's input.
  ///
  /// For a tag in the text of an entity it is that of the reference. Offsets must rise.
  /// The parser's own count of lines is wrong at times, where its buffer cuts a line break.
  @inline(__always)
  mutating func line(ofTagBefore offset: Int64) -> UInt32 {
    while searched + 1 < chunks.count, chunks[searched + 1].output.startOffset < offset {
      searched += 1
    }
    let end = chunks[searched].output.risingOriginalOffset(of: offset)
    return chunks[searched].original.line(
      ofTagBefore: Int(end - chunks[searched].original.startOffset))
  }

  /// The offset in the document of what stands at this offset of the parser's input.
  ///
  /// For the text of an entity it is that behind the reference. Offsets must rise.
  mutating func documentOffset(of offset: Int64) -> Int64 {
    while searched + 1 < chunks.count, chunks[searched + 1].output.startOffset < offset {
      searched += 1
    }
    return chunks[searched].output.risingOriginalOffset(of: offset)
  }

  /// The column of the start tag for which ``line(ofTagBefore:)`` was just asked; 0 when the tag
  /// begins in a piece that is gone.
  mutating func column(ofTagBefore offset: Int64, line: Int) -> Int {
    let end = chunks[searched].output.risingOriginalOffset(of: offset)
    return chunks[searched].original.column(
      ofTagBefore: Int(end - chunks[searched].original.startOffset), line: line)
  }

  /// The text around a place in the parser's input, as far as it is at hand.
  func context(ofOutputOffset offset: Int64) -> XMLErrorContext {
    let holder = chunks.lastIndex { $0.output.startOffset <= offset } ?? chunks.startIndex
    guard chunks.indices.contains(holder) else {
      return XMLErrorContext(
        bytes: [], index: 0, hasStart: true, hasEnd: hasReachedEnd, startLine: 1, startColumn: 1,
        file: name)
    }
    // The line may begin in an earlier piece and end in a later one. Of a piece with a huge value
    // only the end is kept, so what stands before it is not at hand.
    var first = holder
    while first > 0, chunks[first].original.follows(chunks[first - 1].original) { first -= 1 }
    var last = holder
    while last + 1 < chunks.count, chunks[last + 1].original.follows(chunks[last].original) {
      last += 1
    }
    var text: [UInt8] = []
    for chunk in chunks[first...last] {
      text += UnsafeBufferPointer(start: chunk.original.bytes, count: chunk.original.count)
    }
    let start = chunks[first].original
    let target = chunks[holder].output.originalOffset(of: offset)
    return XMLErrorContext(
      bytes: text, index: min(max(0, Int(target - start.startOffset)), text.count),
      hasStart: start.startOffset == 0, hasEnd: hasReachedEnd && last == chunks.count - 1,
      startLine: start.line, startColumn: start.column, file: name)
  }

  /// How many bytes of the document the pieces so far hold, the last of them included.
  var documentByteCount: Int64 {
    chunks.last.map { $0.original.startOffset + Int64($0.original.count) } ?? 0
  }

  /// The markup that the document ends in, when it ends too early.
  var unfinishedMarkup: XMLUnfinishedMarkup? { chunks.last?.unfinishedMarkup }

  /// Whether the last bytes were given.
  private var hasReachedEnd: Bool {
    chunks.last.map { ($0.isLast || $0.failure != nil) && $0.output.isEmpty } ?? false
  }
}
