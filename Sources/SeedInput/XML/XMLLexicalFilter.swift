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
/// takes the value from the piece's ``XMLFilterChunk/values``. What is not well-formed is passed on untouched, so that
/// libxml2 stays the judge of the document.
struct XMLLexicalFilter {
  private enum Mode {
    case content, comment, section, instruction, tag, doctype
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
  private var window = TextWindow()
  /// The piece that is being made.
  private var chunk = XMLFilterChunk()
  private var hasReachedEnd = false
  /// How many bytes went out before this piece, and how many lines were left out.
  private var outputOffset: Int64 = 0
  private var droppedLineCount = 0

  private var mode = Mode.content
  /// The index in the window of the first byte not yet looked at.
  private var position = 0
  /// The index of the first byte that is looked at but not yet in the output.
  private var copyStart = 0
  /// How long the current comment, section, instruction, DTD or tag is so far.
  private var markupByteCount = 0
  private var attributeCount = 0
  private var doctype = XMLDoctypeScanner()
  /// What the markup before the text at hand is.
  private var previous = Boundary.other
  /// Off once the document has an internal DTD subset, whose entities and attribute types only
  /// libxml2 knows.
  private var takesValues = true

  // Bounds of another module, kept here for the loops.
  private let longestTag = InputLimits.rowBytes
  private let longestEndTag = 2 * InputLimits.nameBytes
  private let mostAttributes = InputLimits.attributesPerElement

  init(source: any ByteSource, name: String) {
    self.source = source
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
      } catch let error as InputError {
        chunk.failure = error
      } catch {
        chunk.failure = InputError(.malformed("\(error)"), at: .init(file: name))
      }
      outputOffset += Int64(chunk.output.count)
      droppedLineCount = chunk.output.droppedLineCount
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
    let refill = try window.refill(keeping: position, from: source)
    position = refill.position
    copyStart = position
    hasReachedEnd = refill.readCount == 0
    let chunkStart = position
    chunk.output.begin(
      at: outputOffset, originalOffset: window.startOffset + Int64(position),
      droppedLineCount: droppedLineCount)
    chunk.original.startOffset = window.startOffset + Int64(position)
    (chunk.original.line, chunk.original.column) = window.position(of: position)
    let start = window.count - refill.readCount
    if let found = memchr(window.bytes + start, 0, refill.readCount) {
      let index = found.assumingMemoryBound(to: UInt8.self) - window.bytes
      throw error(.nulByte, at: index)
    }
    try scan()
    if hasReachedEnd { position = window.count }
    flush(upTo: position)
    chunk.original.set(window.bytes + chunkStart, count: position - chunkStart)
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

  /// Follows the markup until more bytes are needed.
  private mutating func scan() throws {
    while position < window.count {
      let before = position
      let modeBefore = mode
      switch mode {
      case .content: try scanContent()
      case .comment: try scan(to: "-->", of: "a comment")
      case .section: try scan(to: "]]>", of: "a CDATA section")
      case .instruction: try scan(to: "?>", of: "a processing instruction")
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
        if previous == .endTag { dropBlanks(from: textStart) }
        guard skipEndTag() else { return }
      case UInt8(ascii: "?"): enter(.instruction, skipping: 2)
      case UInt8(ascii: "!"): enterDeclaration()
      default:
        if previous != .other { dropBlanks(from: textStart) }
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

  /// Takes out the text that ends here if it is nothing but blanks.
  ///
  /// Called where such blanks are formatting, which the tokenizer would drop: everywhere but
  /// between a start tag and its end tag.
  @inline(__always)
  private mutating func dropBlanks(from start: Int) {
    var cursor = start
    var lineCount = 0
    guard start < position else { return }
    while cursor < position {
      switch window.bytes[cursor] {
      case 0x0A: lineCount += 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      cursor += 1
    }
    flush(upTo: start)
    copyStart = position
    chunk.output.mark(originalOffset: window.startOffset + Int64(position), droppingLines: lineCount)
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
    position += count
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard window.count - position >= count else { return false }
    return memcmp(window.bytes + position, text.utf8Start, count) == 0
  }

  /// Goes behind `terminator`, or as far as there are bytes.
  private mutating func scan(to terminator: StaticString, of what: String) throws {
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
      throw error(.tooLong(what: what, limit: InputLimits.markupBytes), at: position)
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
      throw error(
        .tooLong(what: "the document type declaration", limit: InputLimits.doctypeBytes),
        at: position)
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
      throw error(.tooLong(what: "the tag of an element", limit: longestTag), at: position)
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
        replaceValue(from: position + 1, to: position + 1 + (cursor - start), with: number)
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
  ) -> XMLAttributeDecoder.Result {
    guard let found = memchr(cursor, Int32(quote), end - cursor) else { return .incomplete }
    cursor = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    return .left
  }
}
