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

  /// Decodes what `encoded` gives.
  ///
  /// - Throws: ``InputError/Reason/unknownEncoding(_:)``.
  package init(_ encoded: any ByteSource, encoding: String, name: String) throws {
    guard let handler = xmlFindCharEncodingHandler(encoding) else {
      throw InputError(.unknownEncoding(encoding), at: .init(file: name, line: 1, column: 1))
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
      if status < -1 { throw undecodable() }
      if input.pointee.use == before { break }
    }
    if hasEnded, input.pointee.use > 0 { throw undecodable() }
  }

  private func undecodable() -> InputError {
    notePlace()
    return InputError(
      .undecodable(encoding: encoding), at: .init(file: name, line: lineCount, column: columnCount))
  }

  /// Moves the place behind all that has been decoded.
  private func notePlace() {
    for index in 0..<Int(output.pointee.use) {
      let byte = output.pointee.content[index]
      if byte == 0x0A {
        lineCount += 1
        columnCount = 1
      } else if byte & 0xC0 != 0x80 {
        columnCount += 1
      }
    }
  }
}
