internal import CLibXML2

/// The C functions that libxml2 calls; each only passes on to the ``XMLParse`` behind its pointer.
enum XMLCallbacks {
  /// The callbacks that Seed needs; what is left out, libxml2 skips.
  static func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = startElement
    handler.endElementNs = { parse, _, _, _ in
      XMLCallbacks.parse(parse).pointee.endElement()
    }
    // One function for both, or libxml2 would look at every run for blanks itself.
    handler.characters = characters
    handler.ignorableWhitespace = characters
    handler.cdataBlock = characters
    handler.startDocument = { XMLCallbacks.parse($0).pointee.startDocument() }
    handler.internalSubset = { parse, name, publicID, systemID in
      XMLCallbacks.parse(parse).pointee.internalSubset(name, publicID, systemID)
    }
    handler.entityDecl = { parse, name, kind, publicID, systemID, content in
      xmlSAX2EntityDecl(
        XMLCallbacks.parse(parse).pointee.contextPointer, name, kind, publicID, systemID, content)
    }
    handler.attributeDecl = { parse, _, _, _, _, _, values in
      // libxml2 leaves the list of an enumeration to the callback.
      if let values { xmlFreeEnumeration(values) }
      XMLCallbacks.parse(parse).pointee.attributeDeclaration()
    }
    handler.getEntity = { XMLCallbacks.parse($0).pointee.entity($1) }
    handler.getParameterEntity = { XMLCallbacks.parse($0).pointee.parameterEntity($1) }
    handler.serror = { parse, error in
      guard let parse, let error else { return }
      XMLCallbacks.parse(parse).pointee.report(UnsafeMutablePointer(mutating: error))
    }
    return handler
  }

  @inline(__always)
  private static func parse(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParse> {
    guard let pointer else { preconditionFailure("libxml2 lost its user data") }
    return pointer.assumingMemoryBound(to: XMLParse.self)
  }

  static let read: xmlInputReadCallback = { parse, buffer, capacity in
    guard let buffer else { return -1 }
    let bytes = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: UInt8.self)
    return Int32(XMLCallbacks.parse(parse).pointee.read(into: bytes, capacity: Int(capacity)))
  }

  private static let startElement: startElementNsSAX2Func = {
    parse, local, prefix, namespace, namespaceCount, namespaces, attributeCount, _, attributes in
    guard let local else { return }
    XMLCallbacks.parse(parse).pointee.startElement(
      XMLPlaceTable.NameKey(local: local, prefix: prefix, namespace: namespace),
      namespaces: namespaces, namespaceCount: Int(namespaceCount), attributes: attributes,
      count: Int(attributeCount))
  }

  private static let characters: charactersSAXFunc = { parse, bytes, count in
    guard let bytes else { return }
    XMLCallbacks.parse(parse).pointee.characters(bytes, count: Int(count))
  }
}
