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
  /// Which of them ``droppedLineCount(upTo:)`` goes on searching in.
  private var searched = 0

  /// How many pieces before the one that is read stay at hand.
  private static let kept = 2

  init(channel: HandoffChannel<XMLFilterChunk>, name: String) {
    self.channel = channel
    self.name = name
  }

  func deallocate() {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Gives the parser its next bytes; 0 at the end.
  ///
  /// - Throws: What the filter found wrong, once all before it was given.
  mutating func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    while reading < 0 || chunks[reading].output.isEmpty {
      if reading >= 0, let failure = chunks[reading].failure { throw failure }
      releaseOldest()
      guard let next = channel.next() else { return 0 }
      chunks.append(next)
      reading = chunks.count - 1
    }
    return chunks[reading].output.take(into: buffer, capacity: capacity)
  }

  private mutating func releaseOldest() {
    while reading > XMLFilterReader.kept, valued > 0 || !chunks[0].values.hasWaiting {
      var oldest = chunks.removeFirst()
      oldest.removeAll()
      channel.recycle(oldest)
      reading -= 1
      valued = max(0, valued - 1)
      searched = max(0, searched - 1)
    }
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
    guard XMLFilterOutput.isPlaceholder(placeholder, of: chunks[valued].values.nextNumber) else {
      return nil
    }
    return chunks[valued].values.takeNext()
  }

  /// The lines that were left out before this offset of the parser's input; offsets must rise.
  @inline(__always)
  mutating func droppedLineCount(upTo offset: Int64) -> Int {
    while searched + 1 < chunks.count, chunks[searched + 1].output.startOffset <= offset {
      searched += 1
    }
    return chunks[searched].output.droppedLineCount(upTo: offset)
  }

  /// Line, column and excerpt of a place in the parser's input; the nearest that is at hand.
  func place(ofOutputOffset offset: Int64) -> (SourceLocation, SourceExcerpt?) {
    guard let chunk = chunks.last(where: { $0.output.startOffset <= offset }) ?? chunks.first,
      let first = chunks.first?.original
    else { return (SourceLocation(file: name), nil) }
    let target = chunk.output.originalOffset(of: offset)
    // The line may begin in an earlier piece and end in a later one.
    var text: [UInt8] = []
    for chunk in chunks {
      text += UnsafeBufferPointer(start: chunk.original.bytes, count: chunk.original.count)
    }
    return text.withUnsafeBufferPointer { buffer in
      SourcePlace(buffer, startLine: first.line, startColumn: first.column)
        .describe(index: Int(target - first.startOffset), file: name)
    }
  }
}
