internal import CLibXML2
internal import SeedModel

/// What the document declares, and what its references may name.
extension XMLParse {
  /// The parser, for the SAX2 functions of libxml2 that keep its entity table.
  var contextPointer: UnsafeMutableRawPointer? { context.map(UnsafeMutableRawPointer.init) }

  mutating func startDocument() {
    xmlSAX2StartDocument(context)
  }

  mutating func internalSubset(
    _ root: UnsafePointer<xmlChar>?, _ publicID: UnsafePointer<xmlChar>?,
    _ systemID: UnsafePointer<xmlChar>?
  ) {
    hasExternalSubset = publicID != nil || systemID != nil
    xmlSAX2InternalSubset(context, root, publicID, systemID)
  }

  mutating func attributeDeclaration() {
    attributeDeclarationCount += 1
    guard !hasStopped, attributeDeclarationCount > InputLimits.attributeDeclarations else { return }
    stop(
      .tooMany(what: "declarations of attributes", limit: InputLimits.attributeDeclarations))
  }

  /// The entity that a reference names, for libxml2 to expand; nil when it must not be.
  mutating func entity(_ entityName: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
    guard !hasStopped else { return nil }
    guard let entityName, let entity = xmlSAX2GetEntity(context, entityName) else {
      let text = entityName.map { String(cString: $0) } ?? ""
      stop(.undeclaredEntity(text, hasExternalSubset: hasExternalSubset), atReference: "&")
      return nil
    }
    return permitted(entity, mark: "&")
  }

  mutating func parameterEntity(_ entityName: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
    guard !hasStopped, let entity = xmlSAX2GetParameterEntity(context, entityName) else {
      return nil
    }
    return permitted(entity, mark: "%")
  }

  private mutating func permitted(
    _ entity: xmlEntityPtr, mark: StaticString
  ) -> xmlEntityPtr? {
    switch entity.pointee.etype {
    case XML_INTERNAL_PREDEFINED_ENTITY: return entity
    case XML_INTERNAL_GENERAL_ENTITY, XML_INTERNAL_PARAMETER_ENTITY: break
    default:
      let name = entity.pointee.name.map { String(cString: $0) } ?? ""
      stop(.externalEntity(name), atReference: mark)
      return nil
    }
    // An empty entity costs time as well, so each reference counts for something.
    expandedByteCount += Int64(max(entity.pointee.length, 8))
    let bound =
      inputByteCount * Int64(InputLimits.entityExpansionFactor)
      + Int64(InputLimits.entityExpansionAllowance)
    guard expandedByteCount <= bound else {
      stop(.entityExpansion, atReference: mark)
      return nil
    }
    return entity
  }
}
