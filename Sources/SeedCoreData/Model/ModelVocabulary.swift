/// The elements and attributes that Xcode writes into models.
///
/// What stands here is understood or has no bearing on the store: how classes are generated, where
/// boxes stand in the editor, what is synced. Anything else is refused.
enum ModelVocabulary {
  /// What an element may have.
  struct Element {
    var attributes: Set<String>
    var children: Set<String> = []
  }

  /// The element of a name, or nil.
  static func element(_ name: String) -> Element? { elements[name] }

  private static let propertyAttributes: Set<String> = [
    "name", "optional", "transient", "syncable", "indexed", "renamingIdentifier", "elementID",
    "versionHashModifier", "spotlightIndexingEnabled", "storedInTruthFile",
  ]

  private static let attributeAttributes: Set<String> = [
    "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString",
    "maxValueString", "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
    "usesScalarValueType", "customClassName", "valueTransformerName", "valueTransformer",
    "allowsExternalBinaryDataStorage", "preserveAfterDeletion",
    "preservesValueInHistoryOnDeletion", "allowsCloudEncryption", "derived",
    "derivationExpression", "attributeValueClassName",
  ]

  private static let relationshipAttributes: Set<String> = [
    "toMany", "ordered", "minCount", "maxCount", "deletionRule", "destinationEntity",
    "inverseName", "inverseEntity",
  ]

  private static let fetchRequestAttributes: Set<String> = [
    "name", "entity", "predicateString", "fetchLimit", "fetchOffset", "fetchBatchSize",
    "resultType", "includeSubentities", "includesSubentities", "includePropertyValues",
    "includesPropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
    "returnsObjectsAsFaults", "returnDistinctResults", "returnsDistinctResults",
    "refreshesRefetchedObjects", "elementID",
  ]

  private static let elements: [String: Element] = [
    "model": Element(
      attributes: [
        "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
        "minimumToolsVersion", "sourceLanguage", "userDefinedModelVersionIdentifier",
        "usedWithCloudKit", "usedWithSwiftData", "macOSVersion", "iOSVersion", "elementID",
      ],
      children: [
        "entity", "configuration", "fetchRequest", "elements", "composite", "userInfo",
      ]),
    "entity": Element(
      attributes: [
        "name", "representedClassName", "parentEntity", "isAbstract", "syncable",
        "codeGenerationType", "elementID", "versionHashModifier", "renamingIdentifier",
        "coreSpotlightDisplayNameExpression",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints", "userInfo",
      ]),
    "attribute": Element(
      attributes: propertyAttributes.union(attributeAttributes), children: ["userInfo"]),
    "relationship": Element(
      attributes: propertyAttributes.union(relationshipAttributes), children: ["userInfo"]),
    "fetchedProperty": Element(
      attributes: propertyAttributes, children: ["fetchRequest", "userInfo"]),
    "fetchRequest": Element(attributes: fetchRequestAttributes, children: ["userInfo"]),
    "fetchIndex": Element(
      attributes: ["name", "elementID", "partialIndexPredicate", "predicateString"],
      children: ["fetchIndexElement"]),
    "fetchIndexElement": Element(
      attributes: ["property", "type", "order", "expression", "expressionType", "elementID"]),
    "compoundIndexes": Element(attributes: [], children: ["compoundIndex"]),
    "compoundIndex": Element(attributes: [], children: ["index"]),
    "index": Element(attributes: ["value"]),
    "uniquenessConstraints": Element(attributes: [], children: ["uniquenessConstraint"]),
    "uniquenessConstraint": Element(attributes: [], children: ["constraint"]),
    "constraint": Element(attributes: ["value"]),
    "userInfo": Element(attributes: [], children: ["entry"]),
    "entry": Element(attributes: ["key", "value"]),
    "configuration": Element(
      attributes: ["name", "usedWithCloudKit", "elementID"],
      children: ["memberEntity", "userInfo"]),
    "memberEntity": Element(attributes: ["name"]),
    "elements": Element(attributes: [], children: ["element"]),
    "element": Element(attributes: ["name", "positionX", "positionY", "width", "height"]),
  ]

  /// Names that a property cannot have: a method without parameters of NSObject or NSManagedObject
  /// has them, and the accessor of the property would take its place (documentation of
  /// `NSPropertyDescription.name`).
  static let reservedNames: Set<String> = [
    // NSObject and its protocol.
    "autorelease", "class", "classForArchiver", "classForCoder", "classForKeyedArchiver", "copy",
    "dealloc", "debugDescription", "description", "finalize", "hash", "init", "isProxy",
    "mutableCopy", "observationInfo", "release", "retain", "retainCount", "self", "superclass",
    "zone",
    // NSManagedObject.
    "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent",
    "didSave", "didTurnIntoFault", "entity", "faultingState", "hasChanges",
    "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted", "isUpdated",
    "managedObjectContext", "objectID", "prepareForDeletion", "willSave", "willTurnIntoFault",
  ]
}
