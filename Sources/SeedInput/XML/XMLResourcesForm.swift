internal import SeedModel

/// Android's string resources, in whose texts markup is part of the text.
///
///     <resources><string name="hello">Hello <b>World</b> &amp; all</string>…</resources>
///
/// The text of a `<string>`, and of an `<item>` of a `<string-array>` or `<plurals>`, with elements
/// in it is kept as the markup that it is: `Hello <b>World</b> &amp; all`. A text without elements
/// is plain: `Fish & chips`. All else follows the rules for any document.
final class XMLResourcesForm: XMLForm {
  private var path: [XMLPlaceTable.NameKey] = []
  /// How many elements are open inside of the text that is collected; nil outside of one.
  private var textDepth: Int?
  /// The line of the element whose text that is.
  private var textLine: UInt32 = 0
  /// The text so far: plain until an element shows up, markup from then on.
  private var text: [UInt8] = []
  private var isMarkup = false
  /// Whether the start tag that was written last may still become an empty element's.
  private var isTagOpen = false
  private var openTags: [XMLPlaceTable.NameKey] = []

  /// Nothing is passed over.
  var remarks: [XMLFormRemark] { [] }

  func start(
    _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    if textDepth != nil { return try startMarkup(element) }
    try tokenizer.start(element.name, line: element.line)
    for attribute in element.attributes {
      try tokenizer.attribute(attribute.name, bytes: attribute.bytes, count: attribute.count)
    }
    if isArrayItem(element.name) { tokenizer.noteArray() }
    if isArrayItem(element.name) || isString(element) {
      textDepth = 0
      textLine = element.line
      text.removeAll(keepingCapacity: true)
      isMarkup = false
    }
    path.append(element.name)
  }

  private func isString(_ element: XMLFormElement) -> Bool {
    path.count == 1 && element.name.isLocal("string") && element.attribute("name") != nil
  }

  private func isArrayItem(_ name: XMLPlaceTable.NameKey) -> Bool {
    path.count == 2 && name.isLocal("item")
      && (path[1].isLocal("string-array") || path[1].isLocal("plurals"))
  }

  func characters(
    _ bytes: UnsafePointer<UInt8>, count: Int, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    guard textDepth != nil else {
      try tokenizer.characters(bytes, count: count)
      return
    }
    closeStartTag()
    let piece = UnsafeBufferPointer(start: bytes, count: count)
    if isMarkup { appendEscaped(piece) } else { text += piece }
    try checkLength()
  }

  func end(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    if let depth = textDepth, depth > 0 {
      endMarkup()
      textDepth = depth - 1
      return
    }
    if textDepth != nil {
      textDepth = nil
      try handOn(to: &tokenizer)
    }
    path.removeLast()
    try tokenizer.end(inputBytesRead: inputBytesRead)
  }

  private func handOn(to tokenizer: inout XMLTokenizer) throws(XMLTokenizer.Failure) {
    let failure = text.withUnsafeBufferPointer { bytes -> XMLTokenizer.Failure? in
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
      do throws(XMLTokenizer.Failure) {
        try tokenizer.characters(start, count: bytes.count)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  // MARK: Markup

  private func startMarkup(_ element: XMLFormElement) throws(XMLTokenizer.Failure) {
    if !isMarkup {
      isMarkup = true
      let plain = text
      text.removeAll(keepingCapacity: true)
      appendEscaped(plain)
    }
    closeStartTag()
    textDepth = (textDepth ?? 0) + 1
    guard openTags.count < InputLimits.depth else { throw .limit(.tooDeep) }
    openTags.append(element.name)
    text += Array("<\(element.name.written)".utf8)
    for (prefix, uri) in element.namespaces {
      text += Array((prefix.map { " xmlns:\(String(cString: $0))" } ?? " xmlns").utf8)
      appendValue((uri.map { String(cString: $0) } ?? "").utf8)
    }
    for attribute in element.attributes {
      text += Array(" \(attribute.name.written)".utf8)
      appendValue(UnsafeBufferPointer(start: attribute.bytes, count: attribute.count))
    }
    isTagOpen = true
    try checkLength()
  }

  private func closeStartTag() {
    if isTagOpen { text.append(UInt8(ascii: ">")) }
    isTagOpen = false
  }

  private func endMarkup() {
    let name = openTags.removeLast()
    text += Array((isTagOpen ? "/>" : "</\(name.written)>").utf8)
    isTagOpen = false
  }

  private func appendValue(_ value: some Sequence<UInt8>) {
    text += Array("=\"".utf8)
    appendEscaped(value, inAttribute: true)
    text.append(UInt8(ascii: "\""))
  }

  /// Appends text as it has to be written to be read as the same (XML 1.0, sections 2.4, 2.11 and
  /// 3.3.3).
  private func appendEscaped(_ bytes: some Sequence<UInt8>, inAttribute: Bool = false) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): text += Array("&amp;".utf8)
      case UInt8(ascii: "<"): text += Array("&lt;".utf8)
      case UInt8(ascii: ">"): text += Array("&gt;".utf8)
      case 0x0D: text += Array("&#13;".utf8)
      case UInt8(ascii: "\"") where inAttribute: text += Array("&quot;".utf8)
      case 0x0A where inAttribute: text += Array("&#10;".utf8)
      case 0x09 where inAttribute: text += Array("&#9;".utf8)
      default: text.append(byte)
      }
    }
  }

  private func checkLength() throws(XMLTokenizer.Failure) {
    guard text.count > InputLimits.rowBytes else { return }
    throw .limitOf(
      .tooLong(what: "the content of an element", limit: InputLimits.rowBytes), line: textLine)
  }
}
