internal import CLibXML2

/// Puts libxml2's errors into the words of this project.
///
/// libxml2 names the point at which it gave up; this looks at the text before it, to say what is
/// wrong there and where that begins.
struct XMLErrorWording {
  /// What is wrong, and the index of the context's bytes at which it begins.
  struct Fault {
    var reason: InputError.Reason
    var index: Int

    init(_ message: String, hint: String? = nil, at index: Int) {
      reason = .malformed(message, hint: hint)
      self.index = index
    }

    init(_ reason: InputError.Reason, at index: Int) {
      self.reason = reason
      self.index = index
    }
  }

  let error: xmlError
  let code: xmlParserErrors
  /// Where the parser stands.
  let index: Int
  let context: XMLErrorContext
  /// The line of the innermost open element.
  let openLine: Int
  let first: String
  let second: String

  init(_ error: xmlError, in context: XMLErrorContext, openLine: Int) {
    self.error = error
    code = xmlParserErrors(rawValue: UInt32(error.code))
    index = context.index
    self.context = context
    self.openLine = openLine
    first = error.str1.map { String(cString: $0) } ?? ""
    second = error.str2.map { String(cString: $0) } ?? ""
  }

  /// Whether an error is about namespaces only and changes nothing in what is read.
  static func isHarmless(_ error: xmlError) -> Bool {
    switch xmlParserErrors(rawValue: UInt32(error.code)) {
    case XML_WAR_NS_URI, XML_WAR_NS_URI_RELATIVE, XML_NS_ERR_COLON: true
    default: false
    }
  }

  /// Whether an error that comes at the document's very end means that there should be more.
  var isAboutMissingText: Bool {
    switch code {
    case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF,
      XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_ENCODING,
      XML_ERR_ENTITY_LOOP, XML_ERR_ATTRIBUTE_REDEFINED, XML_ERR_LT_IN_ATTRIBUTE,
      XML_ERR_HYPHEN_IN_COMMENT, XML_ERR_MISPLACED_CDATA_END, XML_ERR_RESERVED_XML_NAME,
      XML_ERR_DOCUMENT_EMPTY, XML_ERR_DOCUMENT_END, XML_ERR_TAG_NOT_FINISHED:
      false
    default: error.domain == Int32(XML_FROM_PARSER.rawValue)
    }
  }

  /// The error as one of the document's own text.
  var fault: Fault {
    if let byte = context.invalidByte(at: index) {
      return Fault(.undecodable(encoding: "UTF-8", byte: byte), at: index)
    }
    return documentFault ?? tagFault ?? attributeFault ?? referenceFault ?? declarationFault
      ?? namespaceFault ?? Fault("the document is not well-formed: \(libraryText)", at: index)
  }

  // MARK: Kinds of errors

  private var documentFault: Fault? {
    switch code {
    case XML_ERR_DOCUMENT_EMPTY:
      if index >= context.bytes.count { return Fault(.noElement, at: index) }
      if context.isBlank(before: index) { return Fault(.notXML(looksLike: nil), at: index) }
      return Fault("text stands before the root element", at: index)
    case XML_ERR_DOCUMENT_END: return faultBehindRoot
    case XML_ERR_INVALID_CHAR:
      if let reference = characterReference { return reference }
      guard let scalar = context.scalar(at: index) else { return nil }
      let name = String(scalar.value, radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: max(0, 4 - name.utf8.count)) + name
      return Fault(
        "the character U+\(digits) is not allowed in XML",
        hint: "remove it; XML has no way to write it", at: index)
    case XML_ERR_INVALID_ENCODING:
      return Fault(.undecodable(encoding: "UTF-8", byte: nil), at: index)
    case XML_ERR_HYPHEN_IN_COMMENT:
      return Fault(
        "a comment contains \"--\"", at: context.has("--", at: index) ? index : start(of: "--"))
    case XML_ERR_MISPLACED_CDATA_END:
      return Fault(
        "\"]]>\" stands outside of a CDATA section", hint: "write \"]]&gt;\"",
        at: context.first("]]>", from: index) ?? index)
    case XML_ERR_NAME_TOO_LONG: return Fault(.tooLong(what: "a name", limit: 10_000_000), at: index)
    default: return nil
    }
  }

  private var faultBehindRoot: Fault {
    let index = context.bytes[self.index...].firstIndex { !XMLName.isBlank($0) } ?? self.index
    if context.has("</", at: index) {
      return Fault("this end tag has no start tag", at: index)
    }
    if context.has("<!DOCTYPE", at: index) {
      return Fault("a document type declaration stands behind the root element", at: index)
    }
    if context.has("<", at: index) {
      return Fault(
        "a second root element, where a document has only one",
        hint: "put the elements into one root element, or make each a document of its own",
        at: index)
    }
    return Fault("text stands behind the root element", at: index)
  }

  var tagFault: Fault? {
    switch code {
    case XML_ERR_TAG_NAME_MISMATCH:
      return Fault(
        "the end tag \"</\(second)>\" does not match the start tag \"<\(first)>\" of line \(openLine)",
        hint: "close \"<\(first)>\" with \"</\(first)>\" before this tag", at: start(of: "</"))
    case XML_ERR_TAG_NOT_FINISHED:
      return Fault(
        "the document ends inside the element \"\(first)\" of line \(openLine)",
        hint: XMLErrorWording.cutHint, at: index)
    case XML_ERR_GT_REQUIRED: return Fault("a \">\" is missing here", at: index)
    case XML_ERR_NAME_REQUIRED: return missingName
    default: return nil
    }
  }

  private var missingName: Fault {
    if context.has("&", at: index - 1) { return plainAmpersand }
    if context.has("<!", at: index - 1) {
      return Fault(
        "\"<!\" starts no comment, CDATA section or declaration here",
        hint: "write \"DOCTYPE\" and \"CDATA\" in upper case, and a comment as \"<!-- … -->\"",
        at: index - 1)
    }
    if context.has("<", at: index - 1) {
      return Fault(
        "no element's name follows \"<\"", hint: "write \"&lt;\" for a plain \"<\"", at: index - 1)
    }
    return Fault("a name is expected here", at: index)
  }

  var attributeFault: Fault? {
    switch code {
    case XML_ERR_ATTRIBUTE_REDEFINED:
      let name = second.isEmpty ? first : "\(first):\(second)"
      let tag = start(of: "<")
      return Fault(
        "the attribute \"\(name)\" is given twice",
        at: context.repeatedAttribute(name, inTagAt: tag) ?? tag)
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
      return Fault(
        "the value of an attribute is not in quotes", hint: "write name=\"value\"", at: index)
    case XML_ERR_ATTRIBUTE_NOT_FINISHED:
      return Fault("the value of an attribute is not closed with a quote", at: index)
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
      return Fault(
        "the attribute \"\(first)\" has no value", hint: "write \(first)=\"value\"", at: index)
    case XML_ERR_LT_IN_ATTRIBUTE:
      return Fault(
        "a \"<\" stands in the value of an attribute",
        hint: "write \"&lt;\", or close the quote before it", at: index)
    case XML_ERR_SPACE_REQUIRED:
      let followsValue = context.has("\"", at: index - 1) || context.has("'", at: index - 1)
      let isInElement = context.last("<", before: index).map {
        !context.has("<?", at: $0) && !context.has("<!", at: $0)
      }
      return Fault(
        "a blank is missing here",
        hint: followsValue && isInElement == true
          ? "write a quote inside a value as \"&quot;\" or \"&apos;\"" : nil, at: index)
    default: return nil
    }
  }

  private var referenceFault: Fault? {
    switch code {
    case XML_ERR_ENTITYREF_SEMICOL_MISSING:
      let start = start(of: "&")
      return Fault(
        "the reference \"\(context.text(from: start, to: index))\" does not end with \";\"",
        hint: XMLErrorWording.ampersandHint, at: start)
    case XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INVALID_CHARREF:
      return characterReference ?? plainAmpersand
    case XML_ERR_UNDECLARED_ENTITY:
      return Fault(
        .undeclaredEntity(first, hasExternalSubset: false), at: self.start(of: "%"))
    case XML_ERR_ENTITY_LOOP:
      let start = start(of: "&")
      return Fault(
        "the entity \"\(context.text(from: start + 1, to: index - 1))\" refers to itself", at: start
      )
    default: return nil
    }
  }

  private var plainAmpersand: Fault {
    Fault(
      "an \"&\" starts no reference here", hint: XMLErrorWording.ampersandHint, at: start(of: "&"))
  }

  /// The character reference before the place, if there is one.
  private var characterReference: Fault? {
    guard let start = context.last("&#", before: index), index - start < 32 else { return nil }
    let text = context.text(from: start, to: index)
    guard text.last == ";" || code != XML_ERR_INVALID_CHAR || text.utf8.count == 2 else {
      return nil
    }
    guard text.last == ";", text.utf8.count > 4 || text.contains(where: \.isNumber) else {
      return Fault("this is no character reference", hint: XMLErrorWording.ampersandHint, at: start)
    }
    return Fault(
      "\"\(text)\" is no character that XML allows", hint: "remove it; XML has no way to write it",
      at: start)
  }

  var namespaceFault: Fault? {
    guard error.domain == Int32(XML_FROM_NAMESPACE.rawValue) else { return nil }
    switch code {
    case XML_NS_ERR_XML_NAMESPACE where !first.isEmpty, XML_NS_ERR_EMPTY:
      return Fault("the prefix \"\(first)\" is declared with an empty namespace", at: index)
    case XML_NS_ERR_XML_NAMESPACE:
      return Fault(
        "the prefixes \"xml\" and \"xmlns\" and their namespaces cannot be declared anew", at: index
      )
    case XML_NS_ERR_QNAME:
      return Fault("a name has a \":\" in the wrong place", at: index)
    case XML_NS_ERR_ATTRIBUTE_REDEFINED:
      return Fault(
        "the attribute \"\(first)\" of the namespace \"\(second)\" is given twice",
        at: start(of: "<"))
    default: return nil
    }
  }

  // MARK: Parts

  static let cutHint = "get the file again if it is cut off, or add what is missing"
  static let ampersandHint = "write \"&amp;\" for a plain \"&\""

  /// The index of the last `text` before the place; the place itself when there is none.
  func start(of text: StaticString) -> Int {
    context.last(text, before: index) ?? index
  }
}
