internal import CLibXML2

extension XMLErrorWording {
  /// What an XML declaration or a document type declaration lacks.
  var declarationFault: Fault? {
    let message: String
    switch code {
    case XML_ERR_RESERVED_XML_NAME:
      let start = start(of: "<?")
      if start == 0, context.hasStart {
        return Fault("the XML declaration does not begin with a version", at: index)
      }
      return context.has("<?xml", at: start)
        ? Fault(
          "an XML declaration stands only at the very start of a document",
          hint: "remove what is before it; several documents are several files", at: start)
        : Fault("the name of a processing instruction must not be \"xml\"", at: start)
    case XML_ERR_PI_NOT_STARTED: message = "a processing instruction has no name"
    case XML_ERR_VERSION_MISSING: message = "the XML declaration does not begin with a version"
    case XML_ERR_UNKNOWN_VERSION: message = "the version \"\(first)\" of XML is not known"
    case XML_ERR_XMLDECL_NOT_FINISHED:
      message = "the XML declaration has something unexpected, where \"?>\" must be"
    case XML_ERR_STRING_NOT_STARTED, XML_ERR_LITERAL_NOT_STARTED, XML_ERR_ENTITY_NOT_STARTED:
      message = "a quote is expected here"
    case XML_ERR_STRING_NOT_CLOSED, XML_ERR_LITERAL_NOT_FINISHED, XML_ERR_ENTITY_NOT_FINISHED:
      message = "a quoted text is not closed"
    case XML_ERR_EQUAL_REQUIRED: message = "a \"=\" is missing here"
    case XML_ERR_ENCODING_NAME: message = "this is no name of an encoding"
    case XML_ERR_STANDALONE_VALUE: message = "\"standalone\" is neither \"yes\" nor \"no\""
    case XML_ERR_DOCTYPE_NOT_FINISHED:
      message = "the document type declaration has something unexpected, where \">\" must be"
    case XML_ERR_INTERNAL_ERROR:
      message = "something that is no declaration stands in the document type declaration"
    default: return nil
    }
    return Fault(message, at: index)
  }

  /// What is wrong in the text of an entity, which has no place in the document but its reference.
  var faultInEntity: Fault {
    let start = max(
      context.last("&", before: index) ?? -1, context.last("%", before: index) ?? -1)
    guard start >= 0 else {
      return Fault("the text of an entity is not well-formed", at: index)
    }
    let name = context.text(from: start + 1, to: index - 1)
    let detail =
      switch code {
      case XML_ERR_TAG_NOT_FINISHED: "the element \"\(first)\" is not closed"
      case XML_ERR_TAG_NAME_MISMATCH: "the end tag \"</\(second)>\" does not match \"<\(first)>\""
      case XML_ERR_NOT_WELL_BALANCED, XML_ERR_EXTRA_CONTENT: "a start tag is missing"
      case XML_ERR_INTERNAL_ERROR: "something that is no plain declaration stands there"
      case XML_ERR_NAME_REQUIRED: "a name is missing"
      case XML_ERR_ENTITY_LOOP: "it refers to itself"
      case XML_ERR_ENTITYREF_SEMICOL_MISSING: "a reference does not end with \";\""
      default: (attributeFault ?? tagFault ?? namespaceFault).map(\.message) ?? libraryText
      }
    return Fault("the text of the entity \"\(name)\" is not well-formed: \(detail)", at: start)
  }

  /// libxml2's own text, in the form of ours: lower case, no full stop, one line, no name of a
  /// function.
  var libraryText: String {
    guard let text = error.message else { return "error \(error.code) of libxml2" }
    var message = String(cString: text)
    while let last = message.last, last.isNewline || last == "." || last == " " {
      message.removeLast()
    }
    message = String(message.map { $0.isNewline ? " " : $0 == "'" ? "\"" : $0 })
    if message.hasPrefix("xmlParse"), let colon = message.firstIndex(of: ":") {
      message = String(message[message.index(after: colon)...].drop { $0 == " " })
    }
    let start = message.prefix(while: \.isUppercase)
    // "Attribute" becomes "attribute"; "CDATA" stays.
    return start.count == 1 ? start.lowercased() + message.dropFirst() : message
  }
}

extension XMLErrorWording.Fault {
  /// The message of what is malformed.
  fileprivate var message: String {
    if case .malformed(let text, _) = reason { return text }
    return ""
  }
}
