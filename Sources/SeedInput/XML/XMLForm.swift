internal import SeedModel

/// A shape of XML that people have and that says more than its elements do.
///
/// Which one a document has is decided at its root. The form then gets what libxml2 finds in the
/// tokenizer's stead and hands on what it means: a `<field name="c">` becomes the attribute `c`.
protocol XMLForm: AnyObject {
  /// The start tag of an element.
  func start(
    _ element: XMLFormElement, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure)

  /// A piece of text.
  func characters(
    _ bytes: UnsafePointer<UInt8>, count: Int, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure)

  /// The end tag of the element that is open.
  func end(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure)

  /// The end of the document, all of whose tokens are handed over now.
  func finish(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure)

  /// What was passed over, when the document has ended.
  var remarks: [XMLFormRemark] { get }

  /// Whether the columns of start tags are wanted.
  var needsColumns: Bool { get }

  /// Says where the tokens stand that the next start or end makes, if they go past the tokenizer
  /// that is handed in.
  func note(_ place: TokenPlace)
}

extension XMLForm {
  /// Lines are enough for data.
  var needsColumns: Bool { false }

  func note(_ place: TokenPlace) {}

  /// Hands over what the tokenizer has, which is all for a form without tokens of its own.
  func finish(
    inputBytesRead: Int64, into tokenizer: inout XMLTokenizer
  ) throws(XMLTokenizer.Failure) {
    try tokenizer.flush(inputBytesRead: inputBytesRead)
  }
}

/// The start tag of an element, as a form sees it; the pointers are good for the call only, but
/// for those of the names.
struct XMLFormElement {
  var name: XMLPlaceTable.NameKey
  var line: UInt32
  /// The column, if the form needs it and it is known; else 0.
  var column = 0
  var attributes: [XMLFormAttribute]
  /// The namespaces that the tag declares, with the prefix of each.
  var namespaces: [(prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?)] = []

  /// The attribute without a namespace of this name.
  func attribute(_ name: StaticString) -> XMLFormAttribute? {
    attributes.first { $0.name.namespace == nil && $0.name.prefix == nil && $0.name.isLocal(name) }
  }
}

/// An attribute with its value.
struct XMLFormAttribute {
  var name: XMLPlaceTable.NameKey
  var bytes: UnsafePointer<UInt8>
  var count: Int

  /// Whether the value is this one.
  func isEqual(to text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && UnsafeBufferPointer(start: bytes, count: count).elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: count))
  }
}

/// Something that a form has no place for.
struct XMLFormRemark: Equatable {
  var message: String
  var line: Int
}

extension XMLPlaceTable.NameKey {
  /// Whether the name without its prefix is this one.
  func isLocal(_ text: StaticString) -> Bool {
    var index = 0
    while index < text.utf8CodeUnitCount {
      // Ends at the NUL behind a shorter name.
      guard local[index] == text.utf8Start[index] else { return false }
      index += 1
    }
    return local[index] == 0
  }

  /// Whether the namespace is this one.
  func isNamespace(_ text: StaticString) -> Bool {
    guard let namespace else { return false }
    return XMLPlaceTable.NameKey(local: namespace).isLocal(text)
  }

  /// The name as it is written, with its prefix.
  var written: String {
    (prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: local)
  }
}
