package import SeedModel

/// Finds the lines, columns and excerpts of tokens by going once more through their text.
package struct PlaceResolution {
  /// Where a token stands, in words.
  package typealias Place = (location: SourceLocation, excerpt: SourceExcerpt?)

  private let source: any ByteSource
  private let name: String
  private var window = TextWindow()
  private var hasEnded = false
  /// The offset of the last "<" before what was looked for last, and how far it was looked for.
  private var bracket: Int64 = 0
  private var bracketsEnd: Int64 = 0

  /// So much of the text behind a place is looked at, for its excerpt or for the start of a text.
  private static let reach: Int64 = 4_096

  /// The places of tokens, each by its token's.
  ///
  /// - Parameters:
  ///   - tokens: What the reader has said of them.
  ///   - source: The input's bytes, not packed.
  ///   - settings: How the input was read.
  /// - Returns: The place of each token.
  /// - Throws: ``InputError``.
  package static func places(
    of tokens: [TokenPlace], in source: any ByteSource, settings: ReaderSettings
  ) throws -> [TokenPlace: Place] {
    var resolution = PlaceResolution(try text(source, settings), name: settings.name)
    defer { resolution.window.deallocate() }
    var result: [TokenPlace: Place] = [:]
    for token in tokens.sorted(by: { $0.offset < $1.offset }) where result[token] == nil {
      result[token] = resolution.place(of: token)
    }
    return result
  }

  private init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
  }

  /// The text as its reader has it.
  private static func text(
    _ source: any ByteSource, _ settings: ReaderSettings
  ) throws -> any ByteSource {
    switch settings.format {
    case .json, .ndjson:
      try JSONTextSource.open(source, name: settings.name, encoding: settings.encoding)
    case .csv, .tsv:
      try DelimitedTextSource.open(
        source, name: settings.name, encoding: settings.encoding,
        hasQuotes: settings.layout.quote ?? UInt8(ascii: "\"") == UInt8(ascii: "\""))
    case .xml, .plist:
      try XMLTextSource.open(source, name: settings.name, encoding: settings.encoding)
    }
  }

  // MARK: Places

  private mutating func place(of token: TokenPlace) -> Place {
    if let record = token.record { return place(of: token, in: record) }
    switch token.kind {
    case .value:
      read(to: token.offset + Self.reach, keeping: token.offset)
      let isQuoted = byte(at: token.offset) == UInt8(ascii: "\"")
      return place(at: token.offset + (isQuoted ? 1 : 0))
    case .tag, .attribute, .content:
      findBracket(before: token.offset)
      read(to: token.offset + Self.reach, keeping: bracket)
      if let reference = reference(before: token.offset) { return place(at: reference) }
      switch token.kind {
      case .attribute(let name):
        return place(at: value(of: name, before: token.offset) ?? bracket)
      case .content: return place(at: content(behind: token.offset) ?? bracket)
      case .tag, .value: return place(at: bracket)
      }
    }
  }

  private mutating func place(of token: TokenPlace, in record: TokenPlace.Record) -> Place {
    read(to: token.offset + Self.reach, keeping: record.offset)
    let start = index(of: record.offset)
    let text = SourcePlace(
      UnsafeBufferPointer(start: window.bytes + start, count: window.count - start),
      startLine: record.line, startColumn: 1, countsReturns: true)
    return text.describe(index: index(of: token.offset) - start, file: name)
  }

  private func place(at offset: Int64) -> Place {
    window.place(of: index(of: offset), file: name)
  }

  // MARK: The text

  private var endOffset: Int64 { window.startOffset + Int64(window.count) }

  private func index(of offset: Int64) -> Int {
    min(max(0, Int(offset - window.startOffset)), window.count)
  }

  /// The byte at an offset, and 0 where none is at hand.
  private func byte(at offset: Int64) -> UInt8 {
    offset >= window.startOffset && offset < endOffset ? window.bytes[index(of: offset)] : 0
  }

  private func has(_ text: StaticString, at offset: Int64) -> Bool {
    (0..<text.utf8CodeUnitCount).allSatisfy {
      byte(at: offset + Int64($0)) == text.utf8Start[$0]
    }
  }

  /// Reads on until so much is at hand, or all; what stands before the kept offset may go.
  private mutating func read(to offset: Int64, keeping kept: Int64) {
    while endOffset < offset, !hasEnded {
      let position = index(of: min(kept, endOffset))
      hasEnded = window.refill(keeping: position, from: source).readCount == 0
    }
  }

  // MARK: Markup

  /// Finds where the tag begins that ends at an offset: values have no "<".
  private mutating func findBracket(before offset: Int64) {
    repeat {
      read(to: min(offset, endOffset + 1), keeping: max(bracket, window.startOffset))
      let end = min(offset, endOffset)
      var cursor = end
      while cursor > max(bracketsEnd, window.startOffset) {
        cursor -= 1
        if byte(at: cursor) == UInt8(ascii: "<") {
          bracket = cursor
          break
        }
      }
      bracketsEnd = max(bracketsEnd, end)
    } while bracketsEnd < offset && !hasEnded
  }

  /// Where the reference begins that ends at an offset, if one does.
  private func reference(before offset: Int64) -> Int64? {
    guard byte(at: offset - 1) == UInt8(ascii: ";"), byte(at: offset) != UInt8(ascii: ">") else {
      return nil
    }
    return (window.startOffset..<offset).last { byte(at: $0) == UInt8(ascii: "&") }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Where the value of an attribute begins in the tag that ends at an offset.
  private func value(of name: String, before end: Int64) -> Int64? {
    var cursor = bracket + 1
    func skip(while condition: (UInt8) -> Bool) {
      while cursor < end, condition(byte(at: cursor)) { cursor += 1 }
    }
    skip { !Self.isBlank($0) }
    while cursor < end {
      skip(while: Self.isBlank)
      let start = cursor
      skip { !Self.isBlank($0) && $0 != UInt8(ascii: "=") }
      let isWanted = (start..<cursor).map { byte(at: $0) }.elementsEqual(name.utf8)
      skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      let quote = byte(at: cursor)
      cursor += 1
      if isWanted { return cursor < end ? cursor : nil }
      skip { $0 != quote }
      cursor += 1
    }
    return nil
  }

  /// Where the text begins behind the tag that ends at an offset; nil when it has none.
  private func content(behind offset: Int64) -> Int64? {
    var cursor = offset
    if byte(at: cursor) == UInt8(ascii: "/") { return nil }
    if byte(at: cursor) == UInt8(ascii: ">") { cursor += 1 }
    while cursor < endOffset {
      if Self.isBlank(byte(at: cursor)) {
        cursor += 1
      } else if has("<![CDATA[", at: cursor) {
        return cursor + 9
      } else if has("<!--", at: cursor), let end = end("-->", behind: cursor) {
        cursor = end
      } else if has("<?", at: cursor), let end = end("?>", behind: cursor) {
        cursor = end
      } else {
        return byte(at: cursor) == UInt8(ascii: "<") ? nil : cursor
      }
    }
    return nil
  }

  private func end(_ mark: StaticString, behind offset: Int64) -> Int64? {
    (offset..<endOffset).first { has(mark, at: $0) }.map { $0 + Int64(mark.utf8CodeUnitCount) }
  }
}
