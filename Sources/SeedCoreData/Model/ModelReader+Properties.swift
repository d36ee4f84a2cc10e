internal import SeedInput
internal import SeedModel

extension ModelReader {
  // MARK: Attributes

  /// The attribute that an element declares; nil when not even that can be told.
  mutating func attribute(_ element: XMLElement) -> ModelAttribute? {
    check(element)
    guard let name = propertyName(of: element) else { return nil }
    guard let type = attributeType(element) else { return nil }
    var attribute = ModelAttribute(name, type, at: element.location)
    attribute.isOptional = flag("optional", element)
    attribute.isTransient = flag("transient", element)
    attribute.allowsExternalStorage = flag("allowsExternalBinaryDataStorage", element)
    attribute.isPreservedAfterDeletion =
      flag("preserveAfterDeletion", element) || flag("preservesValueInHistoryOnDeletion", element)
    attribute.isIndexed = flag("indexed", element)
    attribute.transformerName = element.attribute("valueTransformerName")
    attribute.customClassName = element.attribute("customClassName")
    attribute.versionHashModifier = modifier(element)
    attribute.derivation = derivation(element)
    attribute.defaultValue = defaultValue(type, element)
    attribute.defaultText =
      (type == .date ? element.attribute("defaultDateTimeInterval") : nil)
      ?? element.attribute("defaultValueString")
    attribute.bounds = bounds(type, element)
    for option in ["usesScalarValueType", "allowsCloudEncryption"] { _ = flag(option, element) }
    checkCommon(element)
    if type == .undefined, !attribute.isTransient { note(.undefinedType(name), element) }
    attribute.userInfo = userInfos(element)
    return attribute
  }

  private mutating func attributeType(_ element: XMLElement) -> AttributeType? {
    guard let spelling = element.attribute("attributeType") else {
      note(.missingAttribute("attributeType", of: "attribute"), element)
      return nil
    }
    if let type = AttributeType(rawValue: spelling) { return type }
    if spelling == "Composite" || spelling == "ObjectID" {
      note(
        .uncovered(
          .init(
            what: "the attribute \"\(element.attribute("name") ?? "")\" of the type \(spelling)",
            isOnlyHash: false)),
        element)
    } else {
      note(.unknownType(spelling), element)
    }
    return nil
  }

  /// The expression of a derived attribute.
  private mutating func derivation(_ element: XMLElement) -> String? {
    let expression = element.attribute("derivationExpression")
    let isDerived = flag("derived", element)
    if isDerived, expression == nil {
      note(.missingAttribute("derivationExpression", of: "attribute"), element)
    }
    return isDerived || element.attribute("derived") == nil ? expression : nil
  }

  // MARK: Relationships

  /// The relationship that an element declares; nil when not even that can be told.
  mutating func relationship(_ element: XMLElement) -> ModelRelationship? {
    check(element)
    guard let name = propertyName(of: element) else { return nil }
    guard let destination = element.attribute("destinationEntity") else {
      note(.missingAttribute("destinationEntity", of: "relationship"), element)
      return nil
    }
    var relationship = ModelRelationship(name, to: destination, at: element.location)
    relationship.isToMany = flag("toMany", element)
    relationship.isOrdered = flag("ordered", element)
    relationship.isOptional = flag("optional", element)
    relationship.isTransient = flag("transient", element)
    relationship.versionHashModifier = modifier(element)
    relationship.inverse = inverse(element, destination: destination)
    if let rule = element.attribute("deletionRule") {
      let known = ModelRelationship.DeletionRule(rawValue: rule)
      relationship.deletionRule = known ?? .nullify
      if known == nil {
        let all = ModelRelationship.DeletionRule.allCases.map(\.rawValue)
        noteValue("deletionRule", element, expected: all.joined(separator: ", "))
      }
    }
    takeCounts(element, into: &relationship)
    if relationship.isOrdered, !relationship.isToMany { note(.orderedToOne, element) }
    _ = flag("indexed", element)
    checkCommon(element)
    relationship.userInfo = userInfos(element)
    return relationship
  }

  private mutating func inverse(_ element: XMLElement, destination: String) -> String? {
    let name = element.attribute("inverseName")
    let entity = element.attribute("inverseEntity")
    switch (name, entity) {
    case (nil, nil): return nil
    case (nil, _): note(.missingAttribute("inverseName", of: "relationship"), element)
    case (_, let entity?) where entity != destination:
      note(.inverseElsewhere(entity, destination: destination), element)
    default: break
    }
    return name
  }

  private mutating func takeCounts(
    _ element: XMLElement, into relationship: inout ModelRelationship
  ) {
    let least = count("minCount", element) ?? 0
    let declared = count("maxCount", element)
    let most = declared ?? (relationship.isToMany ? 0 : 1)
    relationship.minCount = least
    relationship.maxCount = most
    if least < 0 {
      noteValue("minCount", element, expected: "0 or more")
    } else if relationship.isToMany, most == 1 {
      note(.wrongCount("a to-many relationship cannot have a maximum of 1"), element)
    } else if !relationship.isToMany, most != 1 {
      note(.wrongCount("a to-one relationship has a maximum of 1, not of \(most)"), element)
    } else if most < -1 {
      noteValue("maxCount", element, expected: "0 or more")
    } else if most > 0, least > most {
      note(.crossedBounds(least: String(least), most: String(most)), element)
    }
  }

  private mutating func count(_ name: String, _ element: XMLElement) -> Int64? {
    guard let text = element.attribute(name) else { return nil }
    guard let number = Int64(text), number <= UInt32.max else {
      noteValue(name, element, expected: "a count")
      return nil
    }
    return number
  }

  // MARK: Both

  /// Checks what has no bearing on the store.
  private mutating func checkCommon(_ element: XMLElement) {
    for option in ["syncable", "spotlightIndexingEnabled", "storedInTruthFile"] {
      _ = flag(option, element)
    }
  }

  /// The values of the one `userInfo` that a property may have inside.
  private mutating func userInfos(_ element: XMLElement) -> [String: String] {
    var result: [String: String] = [:]
    for (index, child) in element.children.enumerated() where check(child, in: element) {
      if index > 0 { note(.repeatedElement(child.name), child) }
      result = userInfo(child)
    }
    return result
  }

  mutating func userInfo(_ element: XMLElement) -> [String: String] {
    checkDeeply(element)
    var result: [String: String] = [:]
    for entry in element.children where entry.name == "entry" {
      guard let key = entry.attribute("key") else {
        note(.missingAttribute("key", of: "entry"), entry)
        continue
      }
      result[key] = entry.attribute("value") ?? ""
    }
    return result
  }
}
