internal import SeedModel

/// Reads a small XML document, such as a configuration file, as a tree of elements.
///
/// What ``XMLReader`` says of entities and bounds holds here too.
package enum XMLElementReader {
  /// The most bytes of a document.
  package static let mostBytes = 16 << 20

  /// Reads `source` to its end.
  ///
  /// - Parameters:
  ///   - source: The document's bytes, in any encoding, not packed.
  ///   - name: What errors call the document.
  /// - Returns: The root element.
  /// - Throws: ``InputError``, at the first thing that is wrong.
  package static func read(_ source: any ByteSource, name: String) throws -> XMLElement {
    let form = XMLElementForm(file: name)
    _ = try XMLReader.read(
      source, name: name, encoding: nil, form: form, pieceByteCount: TextWindow.readByteCount,
      firstBatch: TokenBatch()
    ) { batch in
      // The form has everything; there are no tokens.
      batch.deallocate()
      return nil
    }
    guard let root = form.root else {
      throw InputError(.noElement, at: SourceLocation(file: name))
    }
    return root
  }
}

/// Keeps the elements of a document as they are.
private final class XMLElementForm: XMLForm {
  private let file: String
  private var open: [XMLElement] = []
  private(set) var root: XMLElement?
  private var byteCount = 0

  let needsColumns = true
  let remarks: [XMLFormRemark] = []

  init(file: String) {
    self.file = file
  }

  func start(
    _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    guard open.count < InputLimits.depth else { throw .limit(.tooDeep) }
    var result = XMLElement(
      name: element.name.written,
      location: SourceLocation(
        file: file, line: Int(element.line), column: element.column))
    try count(result.name.utf8.count)
    for attribute in element.attributes {
      let name = attribute.name.written
      try count(name.utf8.count + attribute.count)
      let value = UnsafeBufferPointer(start: attribute.bytes, count: attribute.count)
      result.attributes.append(
        XMLElement.Attribute(name, String(decoding: value, as: UTF8.self)))
    }
    open.append(result)
  }

  func characters(
    _ bytes: UnsafePointer<UInt8>, count: Int, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    guard !open.isEmpty else { return }
    try self.count(count)
    open[open.count - 1].text += String(
      decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func end(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  /// Counts what is kept, entities expanded.
  private func count(_ more: Int) throws(XMLTokenizer.Failure) {
    byteCount += more
    guard byteCount <= XMLElementReader.mostBytes else {
      throw .limit(.tooLong(what: "the document", limit: XMLElementReader.mostBytes))
    }
  }
}
