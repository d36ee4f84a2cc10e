internal import CLibXML2

/// Puts libxml2's errors into the words of this project.
enum XMLErrorWording {
  /// The message for an error.
  ///
  /// - Parameter openLine: The line of the innermost open element, which libxml2's own count of
  ///   lines does not give.
  static func message(for error: xmlError, openLine: Int) -> String {
    let first = error.str1.map { String(cString: $0) } ?? ""
    let second = error.str2.map { String(cString: $0) } ?? ""
    switch xmlParserErrors(rawValue: UInt32(error.code)) {
    case XML_ERR_TAG_NAME_MISMATCH:
      return "the end tag \"</\(second)>\" does not match the start tag \"<\(first)>\" of line \(openLine)"
    case XML_ERR_TAG_NOT_FINISHED:
      return "the document ends inside the element \"\(first)\" of line \(openLine)"
    case XML_ERR_DOCUMENT_END: return "something follows the root element, or the document is cut off"
    case XML_ERR_ATTRIBUTE_REDEFINED: return "the attribute \"\(first)\" is given twice"
    case XML_ERR_GT_REQUIRED: return "a \">\" is missing"
    case XML_ERR_LT_IN_ATTRIBUTE: return "a \"<\" stands unescaped in an attribute value"
    case XML_ERR_ENTITY_LOOP: return "an entity refers to itself"
    case XML_ERR_INVALID_ENCODING: return "these bytes are not valid UTF-8"
    default: return general(error)
    }
  }

  /// libxml2's own text, in the form of ours: lower case, no full stop, one line.
  private static func general(_ error: xmlError) -> String {
    guard let text = error.message else { return "error \(error.code) of libxml2" }
    var message = String(cString: text)
    while let last = message.last, last.isNewline || last == "." || last == " " {
      message.removeLast()
    }
    message = String(message.map { $0.isNewline ? " " : $0 })
    let start = message.prefix(while: \.isUppercase)
    // "Attribute" becomes "attribute"; "CDATA" stays.
    return start.count == 1 ? start.lowercased() + message.dropFirst() : message
  }
}
