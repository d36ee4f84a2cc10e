internal import SeedModel

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Stands between the bytes and libxml2: bounds the markup, and takes attribute values out.
///
/// libxml2 works through an attribute value with an entity or a character beyond ASCII one
/// character at a time, and holds comments, sections and tags whole before it looks at them. This
/// filter follows the markup just far enough to know where tags, values, comments, sections and the
/// DTD begin and end. It refuses what is too long before libxml2 has to hold it, and it decodes
/// such attribute values itself: the parser sees a placeholder in their stead, and its callback
/// takes the value from the piece's ``XMLFilterChunk/values``. What is not well-formed is passed on
/// untouched, so that libxml2 stays the judge of the document.
struct XMLLexicalFilter {
  private enum Mode {
    case content, comment, section, instruction, tag, doctype

    /// What the markup is called, with its article.
    var name: String? {
      switch self {
      case .content: nil
      case .comment: "a comment"
      case .section: "a CDATA section"
      case .instruction: "a processing instruction"
      case .tag: "a tag"
      case .doctype: "a document type declaration"
      }
    }
  }

  /// What a run of text can lie between.
  private enum Boundary {
    case startTag, endTag
    /// A comment, section or instruction, which do not end a run; or nothing.
    case other
  }

  private let source: any ByteSource
  private let name: String
  private let classes: UnsafeMutablePointer<UInt8>
  private var window: TextWindow
  /// The piece that is being made.
  private var chunk = XMLFilterChunk()
  private var hasReachedEnd = false
  /// How many bytes went out before this piece.
  private var outputOffset: Int64 = 0

  private var mode = Mode.content
  /// The index in the window of the first byte not yet looked at.
  private var position = 0
  /// The index of the first byte that is looked at but not yet in the output.
  private var copyStart = 0
  /// How long the current comment, section, instruction, DTD or tag is so far.
  private var markupByteCount = 0
  /// The offset at which it starts.
  private var markupStart: Int64 = 0
  /// The place of a start that the window has lost.
  private var lostStart: (offset: Int64, place: XMLErrorContext.Place)?
  private var attributeCount = 0
  private var doctype = XMLDoctypeScanner()
  /// The last huge value of the piece that is being made, in the window.
  private var hugeValue: Range<Int>?
  /// What the markup before the text at hand is.
  private var previous = Boundary.other
  /// Off once the document has an internal DTD subset, whose entities and attribute types only
  /// libxml2 knows.
  private var takesValues = true

  // Bounds of another module, kept here for the loops.
  private let longestTag = InputLimits.rowBytes
  private let longestEndTag = 2 * InputLimits.nameBytes
  private let mostAttributes = InputLimits.attributesPerElement

  init(
    source: any ByteSource, name: String, pieceByteCount: Int = TextWindow.readByteCount
  ) {
    self.source = source
    window = TextWindow(pieceByteCount: pieceByteCount)
    self.name = name
    classes = XMLByteClasses.makeTable()
  }

  func deallocate() {
    classes.deallocate()
    window.deallocate()
    chunk.deallocate()
  }

  /// Filters the whole document, piece by piece.
  ///
  /// - Parameter deliver: Takes a piece and gives an empty one, or nil to stop.
  mutating func run(deliver: (XMLFilterChunk) -> XMLFilterChunk?) {
    while !hasReachedEnd, chunk.failure == nil {
      do {
        try produce()
      } catch {
        chunk.failure = error
      }
      outputOffset += Int64(chunk.output.count)
      let isLast = hasReachedEnd || chunk.failure != nil
      guard let next = deliver(chunk) else {
        chunk = XMLFilterChunk()
        return
      }
      chunk = next
      if isLast { return }
    }
  }

  private mutating func produce() throws {
    keepMarkupStart()
    hugeValue = nil
    let refill = window.refill(keeping: position, from: source)
    position = refill.position
    copyStart = position
    hasReachedEnd = refill.readCount == 0
    let chunkStart = position
    chunk.output.begin(at: outputOffset, originalOffset: window.startOffset + Int64(position))
    chunk.original.startOffset = window.startOffset + Int64(position)
    (chunk.original.line, chunk.original.column) = window.position(of: position)
    chunk.original.openTagLine = mode == .tag ? markupPlace.location.line : nil
    let failure = cutAtNUL(from: window.count - refill.readCount) ?? window.failure
    let scanned = Result { try scan() }
    if hasReachedEnd {
      position = window.count
      chunk.isLast = true
      chunk.unfinishedMarkup = mode.name.map { XMLUnfinishedMarkup(what: $0, place: markupPlace) }
    }
    // What comes before a failure goes out too: what is wrong there is told first.
    flush(upTo: position)
    keepOriginal(from: chunkStart)
    try scanned.get()
    if hasReachedEnd, let failure { throw failure }
  }

  /// Copies the piece for the errors that the parser may find in it.
  ///
  /// Of a huge value at its start, which has no line break, the end is enough.
  private mutating func keepOriginal(from start: Int) {
    guard let value = hugeValue, value.lowerBound <= start + 1 else {
      chunk.original.set(window.bytes + start, count: position - start)
      return
    }
    var kept = max(start, value.upperBound - TextWindow.historyByteCount)
    while kept < value.upperBound, window.bytes[kept] & 0xC0 == 0x80 { kept += 1 }
    chunk.original.startOffset = window.startOffset + Int64(kept)
    (chunk.original.line, chunk.original.column) = window.position(of: kept)
    chunk.original.set(window.bytes + kept, count: position - kept)
  }

  /// Ends the document at the first NUL, where there is one.
  private mutating func cutAtNUL(from start: Int) -> InputError? {
    guard let found = memchr(window.bytes + start, 0, window.count - start) else { return nil }
    let index = found.assumingMemoryBound(to: UInt8.self) - window.bytes
    let failure = error(.nulByte, at: index)
    window.cut(at: index)
    hasReachedEnd = true
    return failure
  }

  /// Where the current markup starts.
  private var markupPlace: XMLErrorContext.Place {
    if let lostStart, lostStart.offset == markupStart { return lostStart.place }
    return window.place(of: Int(markupStart - window.startOffset), file: name)
  }

  /// Notes where a long piece of markup starts before the window loses it.
  private mutating func keepMarkupStart() {
    let kept = window.startOffset + Int64(position - TextWindow.historyByteCount)
    guard mode != .content, markupStart < kept, markupStart >= window.startOffset else { return }
    lostStart = (markupStart, markupPlace)
  }

  private mutating func flush(upTo end: Int) {
    guard end > copyStart else { return }
    chunk.output.append(window.bytes + copyStart, count: end - copyStart)
    copyStart = end
    chunk.output.mark(originalOffset: window.startOffset + Int64(end))
  }

  private func error(_ reason: InputError.Reason, at index: Int) -> InputError {
    let (location, excerpt) = window.place(of: index, file: name)
    return InputError(reason, at: location, excerpt: excerpt)
  }

  /// What is too long is shown where it starts.
  private func tooLong(limit: Int) -> InputError {
    let place = markupPlace
    return InputError(
      .tooLong(what: mode.name ?? "", limit: limit), at: place.location, excerpt: place.excerpt)
  }

  /// Follows the markup until more bytes are needed.
  private mutating func scan() throws {
    while position < window.count {
      let before = position
      let modeBefore = mode
      switch mode {
      case .content: try scanContent()
      case .comment: try scan(to: "-->")
      case .section: try scan(to: "]]>")
      case .instruction: try scan(to: "?>")
      case .tag: try scanTag()
      case .doctype: try scanDoctype()
      }
      if position == before && mode == modeBefore { return }
    }
  }

  /// Goes over text, end tags and whole start tags, up to other markup.
  private mutating func scanContent() throws {
    while mode == .content {
      let rest = window.count - position
      guard let found = memchr(window.bytes + position, Int32(UInt8(ascii: "<")), rest) else {
        position = window.count
        // The rest of this text comes later; what it is as a whole is not seen.
        previous = .other
        return
      }
      let textStart = position
      position = found.assumingMemoryBound(to: UInt8.self) - window.bytes
      // The longest opening, "<![CDATA[", has nine bytes.
      guard window.count - position >= 9 || hasReachedEnd else { return }
      switch position + 1 < window.count ? window.bytes[position + 1] : 0 {
      case UInt8(ascii: "/"):
        if previous != .other { takeText(from: textStart, isBeforeEndTag: true) }
        guard skipEndTag() else { return }
      case UInt8(ascii: "?"): enter(.instruction, skipping: 2)
      case UInt8(ascii: "!"): enterDeclaration()
      default:
        if previous != .other { takeText(from: textStart, isBeforeEndTag: false) }
        attributeCount = 0
        enter(.tag, skipping: 1)
        try scanTag()
      }
    }
  }

  private mutating func enterDeclaration() {
    if starts(with: "<!--") {
      enter(.comment, skipping: 4)
    } else if starts(with: "<![CDATA[") {
      enter(.section, skipping: 9)
    } else if starts(with: "<!DOCTYPE") {
      doctype = XMLDoctypeScanner()
      enter(.doctype, skipping: 9)
    } else {
      position += 1
    }
  }

  /// Takes out the text between two tags that ends here.
  ///
  /// Blanks are formatting, which the tokenizer would drop, everywhere but between a start tag and
  /// its end tag.
  @inline(__always)
  private mutating func takeText(from start: Int, isBeforeEndTag: Bool) {
    guard start < position else { return }
    var cursor = start
    while cursor < position, XMLName.isBlank(window.bytes[cursor]) { cursor += 1 }
    if cursor == position {
      if isBeforeEndTag && previous == .startTag { return }
    } else {
      guard takesValues, decodeText(from: start) else { return }
    }
    flush(upTo: start)
    copyStart = position
    chunk.output.mark(originalOffset: window.startOffset + Int64(position))
  }

  private mutating func decodeText(from start: Int) -> Bool {
    // Where the text would stand in the output, all before it being flushed.
    let pending = start - copyStart
    let offset = chunk.output.endOffset + Int64(pending)
    return chunk.values.decodeText(
      UnsafePointer(window.bytes + start), end: UnsafePointer(window.bytes + position), at: offset,
      classes: classes)
  }

  /// Goes over an end tag; false when its end is not there yet.
  ///
  /// It has no values, and libxml2 holds no more of it than of its start tag.
  @inline(__always)
  private mutating func skipEndTag() -> Bool {
    var cursor = position + 2
    while cursor < window.count, window.bytes[cursor] != UInt8(ascii: ">") { cursor += 1 }
    let isWhole = cursor < window.count
    guard isWhole || hasReachedEnd || cursor - position > longestEndTag else { return false }
    previous = isWhole ? .endTag : .other
    position = min(cursor + 1, window.count)
    return true
  }

  private mutating func enter(_ next: Mode, skipping count: Int) {
    previous = .other
    mode = next
    markupByteCount = count
    markupStart = window.startOffset + Int64(position)
    position += count
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard window.count - position >= count else { return false }
    return memcmp(window.bytes + position, text.utf8Start, count) == 0
  }

  /// Goes behind `terminator`, or as far as there are bytes.
  private mutating func scan(to terminator: StaticString) throws {
    let count = terminator.utf8CodeUnitCount
    let start = position
    let first = terminator.utf8Start[0]
    while window.count - position >= count {
      let searchable = window.count - position - count + 1
      guard let found = memchr(window.bytes + position, Int32(first), searchable) else {
        position += searchable
        break
      }
      position = found.assumingMemoryBound(to: UInt8.self) - window.bytes
      if starts(with: terminator) {
        position += count
        mode = .content
        return
      }
      position += 1
    }
    markupByteCount += position - start
    if markupByteCount > InputLimits.markupBytes {
      throw tooLong(limit: InputLimits.markupBytes)
    }
  }

  private mutating func scanDoctype() throws {
    let start = position
    let hasEnded = doctype.scan(
      window.bytes, position: &position, end: window.count, isFinal: hasReachedEnd)
    markupByteCount += position - start
    if doctype.hasInternalSubset { takesValues = false }
    if hasEnded { mode = .content }
    if markupByteCount > InputLimits.doctypeBytes {
      throw tooLong(limit: InputLimits.doctypeBytes)
    }
  }

  private mutating func scanTag() throws {
    let bytes = window.bytes
    let end = window.count
    var cursor = position
    while cursor < end {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") {
        // A second "<" is an error that the parser will name.
        let isEmpty = cursor > 0 && bytes[cursor - 1] == UInt8(ascii: "/")
        previous = byte == UInt8(ascii: "<") ? .other : isEmpty ? .endTag : .startTag
        position = byte == UInt8(ascii: ">") ? cursor + 1 : cursor
        mode = .content
        return
      }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        markupByteCount += cursor - position
        position = cursor
        guard try scanValue(quote: byte) else { return }
        cursor = position
      } else {
        cursor += 1
      }
    }
    markupByteCount += cursor - position
    position = cursor
    try checkTagLength()
  }

  @inline(__always)
  private func checkTagLength() throws {
    if markupByteCount > longestTag {
      throw tooLong(limit: longestTag)
    }
  }

  /// Goes over the quoted value at `position`; false when its end is not there yet.
  @inline(__always)
  private mutating func scanValue(quote: UInt8) throws -> Bool {
    let start = UnsafePointer(window.bytes + position + 1)
    let end = UnsafePointer(window.bytes + window.count)
    var cursor = start
    let result =
      takesValues
      ? chunk.values.decode(&cursor, end: end, quote: quote, classes: classes)
      : XMLLexicalFilter.skipValue(&cursor, end: end, quote: quote)
    if case .incomplete = result {
      if markupByteCount + (end - start) > longestTag {
        throw error(.tooLong(what: "the value of an attribute", limit: longestTag), at: position)
      }
      return false
    }
    attributeCount += 1
    if attributeCount > mostAttributes {
      throw error(
        .tooMany(what: "attributes of one element", limit: mostAttributes), at: position)
    }
    if case .taken(let number) = result {
      if isNamespaceDeclaration(before: position) {
        // The parser needs its value, and hands it to nobody.
        chunk.values.dropLast()
      } else {
        let valueEnd = position + 1 + (cursor - start)
        let isHuge = cursor - start >= XMLLexicalFilter.hugeByteCount
        if isHuge, valueEnd + 1 == window.count, !hasReachedEnd {
          // What follows decides whether blanks may; it comes with the next bytes.
          chunk.values.dropLast()
          attributeCount -= 1
          return false
        }
        replaceValue(from: position + 1, to: valueEnd, with: number)
        if isHuge {
          hugeValue = position + 1..<valueEnd
          padAfterValue(valueEnd)
        }
      }
    }
    let length = cursor - start + 2
    markupByteCount += length
    position += length
    try checkTagLength()
    return true
  }

  private mutating func replaceValue(from start: Int, to end: Int, with number: UInt32) {
    flush(upTo: start)
    chunk.output.append(placeholder: number)
    copyStart = end
    chunk.output.mark(originalOffset: window.startOffset + Int64(copyStart))
  }

  /// Puts blanks behind the closing quote of a huge value, where the document has some or the tag
  /// ends.
  ///
  /// libxml2 looks ahead, and so little is left of a piece with a huge value that it would draw in
  /// a dozen such pieces, each with all its memory.
  private mutating func padAfterValue(_ quote: Int) {
    guard quote + 1 < window.count else { return }
    switch window.bytes[quote + 1] {
    case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "/"), UInt8(ascii: ">"): break
    default: return
    }
    flush(upTo: quote + 1)
    chunk.output.append(blanks: XMLLexicalFilter.paddingByteCount)
    chunk.output.mark(originalOffset: window.startOffset + Int64(copyStart))
  }

  /// From here on a value is huge.
  private static let hugeByteCount = TextWindow.readByteCount
  /// More than libxml2 looks ahead (250 bytes).
  private static let paddingByteCount = 1_024

  /// Whether the value whose quote is at `quote` belongs to `xmlns` or `xmlns:…`.
  private func isNamespaceDeclaration(before quote: Int) -> Bool {
    func isBlankOrEquals(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == UInt8(ascii: "=") }
    var end = quote
    while end > 0, isBlankOrEquals(window.bytes[end - 1]) { end -= 1 }
    var start = end
    // Only names need be told apart here; what is not well-formed the parser refuses.
    while start > 0, window.bytes[start - 1] > 0x20 { start -= 1 }
    // A name that the window no longer has whole may be one.
    if start == 0, window.startOffset > 0 { return true }
    let count = end - start
    guard count >= 5, memcmp(window.bytes + start, "xmlns", 5) == 0 else { return false }
    return count == 5 || window.bytes[start + 5] == UInt8(ascii: ":")
  }

  private static func skipValue(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, quote: UInt8
  ) -> XMLTakenValues.Result {
    guard let found = memchr(cursor, Int32(quote), end - cursor) else { return .incomplete }
    cursor = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    return .left
  }
}
