internal import CLibXML2
internal import SeedModel

/// Makes names of values, so that they can be compared like those of elements.
struct XMLFormNames {
  private let dictionary: xmlDictPtr

  /// Names that live as long as the parser.
  init?(_ context: xmlParserCtxtPtr) {
    guard let dictionary = context.pointee.dict else { return nil }
    self.dictionary = dictionary
  }

  /// The name that these bytes spell: the same bytes, the same addresses.
  ///
  /// - Parameters:
  ///   - attribute: Whose value the name is.
  ///   - namespace: What tells it apart from others of the same spelling.
  /// - Returns: The name.
  /// - Throws: ``XMLTokenizer/Failure`` for a name that is too long.
  func name(
    _ attribute: XMLFormAttribute, in namespace: UnsafePointer<UInt8>? = nil
  ) throws(XMLTokenizer.Failure) -> XMLPlaceTable.NameKey {
    guard attribute.count <= InputLimits.nameBytes,
      let local = xmlDictLookup(dictionary, attribute.bytes, Int32(attribute.count))
    else {
      throw .limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
    return XMLPlaceTable.NameKey(local: local, prefix: namespace, namespace: namespace)
  }

  /// The name that a text spells.
  func name(_ text: String) throws(XMLTokenizer.Failure) -> XMLPlaceTable.NameKey {
    var text = text
    let found = text.withUTF8 { bytes -> UnsafePointer<UInt8>? in
      guard let start = bytes.baseAddress, bytes.count <= InputLimits.nameBytes else { return nil }
      return xmlDictLookup(dictionary, start, Int32(bytes.count))
    }
    guard let found else {
      throw .limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
    return XMLPlaceTable.NameKey(local: found)
  }
}
