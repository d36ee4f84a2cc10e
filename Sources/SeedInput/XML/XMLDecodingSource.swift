internal import CLibXML2
internal import SeedModel

/// Decodes any encoding that libxml2 knows into UTF-8.
///
/// Decoding in front of the parser lets the bounds, the places and the excerpts of errors work on
/// one encoding only.
package final class XMLDecodingSource: ByteSource {
  private let encoded: any ByteSource
  private let name: String
  private let encoding: String
  private let handler: xmlCharEncodingHandlerPtr
  private let input: xmlBufferPtr
  private let output: xmlBufferPtr
  private let readBuffer: UnsafeMutablePointer<UInt8>
  private static let readCapacity = 16 << 10
  private var outputOffset = 0
  private var hasEnded = false
  private var lineCount = 1
  private var columnCount = 1
  private var lastByte: UInt8 = 0
  /// The end of the line that the place is in.
  private var lineTail: [UInt8] = []
  private static let tailByteCount = 72
  /// More bytes than these are no start of a character.
  private static let longestCharacter = 4

  /// Decodes what `encoded` gives.
  ///
  /// - Throws: ``InputError/Reason/unknownEncoding(_:)``.
  package init(_ encoded: any ByteSource, encoding: String, name: String) throws {
    guard let handler = XMLDecodingSource.handler(for: encoding) else {
      throw InputError(.unknownEncoding(encoding), at: .init(file: name))
    }
    guard let input = xmlBufferCreate(), let output = xmlBufferCreate() else {
      fatalError("out of memory")
    }
    self.encoded = encoded
    self.encoding = encoding
    self.name = name
    self.handler = handler
    self.input = input
    self.output = output
    readBuffer = .allocate(capacity: XMLDecodingSource.readCapacity)
  }

  /// Whether an encoding of this name can be decoded.
  package static func knows(_ encoding: String) -> Bool {
    guard let handler = handler(for: encoding) else { return false }
    xmlCharEncCloseFunc(handler)
    return true
  }

  private static func handler(for encoding: String) -> xmlCharEncodingHandlerPtr? {
    // More than XML allows in a name (production 81) would reach iconv as an instruction:
    // "ISO-8859-1//IGNORE" drops what it cannot convert.
    let isName = encoding.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: ":"):
        true
      default: false
      }
    }
    guard isName, !encoding.isEmpty else { return nil }
    XMLLibrary.start()
    guard let handler = xmlFindCharEncodingHandler(encoding) else { return nil }
    // "HTML" names a way to write only.
    if handler.pointee.input != nil || handler.pointee.iconv_in != nil { return handler }
    xmlCharEncCloseFunc(handler)
    return nil
  }

  deinit {
    xmlCharEncCloseFunc(handler)
    xmlBufferFree(input)
    xmlBufferFree(output)
    readBuffer.deallocate()
  }

  package func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    while outputOffset == Int(output.pointee.use) {
      guard !hasEnded else { return 0 }
      try decodeMore()
    }
    let count = min(capacity, Int(output.pointee.use) - outputOffset)
    buffer.update(from: output.pointee.content + outputOffset, count: count)
    outputOffset += count
    return count
  }

  private func decodeMore() throws {
    notePlace()
    xmlBufferEmpty(output)
    outputOffset = 0
    let count = try encoded.read(into: readBuffer, capacity: XMLDecodingSource.readCapacity)
    hasEnded = count == 0
    if count > 0 { xmlBufferAdd(input, readBuffer, Int32(count)) }
    // A call converts a bounded piece only; go on as long as it makes progress.
    while input.pointee.use > 0 {
      let before = input.pointee.use
      let status = xmlCharEncInFunc(handler, output, input)
      let isStuck = input.pointee.use == before
      // libxml2's own decoders say -1 for a wrong byte, those of iconv -2.
      if status < -1 || isStuck && status == -1 { throw undecodable() }
      if isStuck { break }
    }
    if hasEnded, input.pointee.use > 0 { throw undecodable() }
  }

  private func undecodable() -> InputError {
    notePlace()
    let location = SourceLocation(file: name, line: lineCount, column: columnCount)
    let text = String(decoding: lineTail.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    let excerpt =
      text.isEmpty ? nil : SourceExcerpt(text: text, caretOffset: text.unicodeScalars.count)
    let rest = input.pointee.use
    if hasEnded, rest <= XMLDecodingSource.longestCharacter {
      return InputError(.cutCharacter(encoding: encoding), at: location, excerpt: excerpt)
    }
    // A single byte of a character of several says nothing.
    let isWide = encoding.uppercased().hasPrefix("UTF-") || encoding.uppercased().hasPrefix("UCS")
    let byte = rest > 0 && !isWide ? input.pointee.content[0] : nil
    return InputError(
      .undecodable(encoding: encoding, byte: byte), at: location, excerpt: excerpt)
  }

  /// Moves the place behind all that has been decoded.
  private func notePlace() {
    let decoded = UnsafeBufferPointer(start: output.pointee.content, count: Int(output.pointee.use))
    for byte in decoded {
      if byte == 0x0A || byte == 0x0D {
        // The two of them end one line.
        if byte == 0x0D || lastByte != 0x0D { lineCount += 1 }
        columnCount = 1
      } else if byte & 0xC0 != 0x80 {
        columnCount += 1
      }
      lastByte = byte
    }
    lineTail += decoded.suffix(XMLDecodingSource.tailByteCount)
    let lineStart = lineTail.lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
    lineTail.removeFirst(max(lineStart, lineTail.count - XMLDecodingSource.tailByteCount))
  }
}
