package import SeedInput
internal import SeedModel

/// Makes a model of the XML that Xcode writes, and refuses what is wrong or not known.
package struct ModelReader {
  /// The most entities of a model, and the most properties of one, the inherited ones included.
  static let mostEntities = InputLimits.tables
  static let mostProperties = InputLimits.columnsPerTable
  /// The most entities that one inherits from.
  static let mostLevels = 100

  let file: String
  var errors: [ModelError] = []
  var warnings: [Diagnostic] = []
  private var entities: [ModelEntity] = []

  private init(file: String) {
    self.file = file
  }

  /// Reads the model of a file, the `contents` of one version.
  ///
  /// - Throws: ``InputError`` for what is no XML, ``ModelErrors``.
  package static func read(contentsAt path: String) throws -> CoreDataModel {
    try read(try XMLElementReader.read(try FileSource(path: path), name: path))
  }

  /// Reads a model from its root element.
  ///
  /// - Throws: ``ModelErrors`` with everything that is wrong.
  package static func read(_ root: XMLElement) throws -> CoreDataModel {
    var reader = ModelReader(file: root.location.file)
    let model = try reader.model(root)
    return model
  }

  private mutating func model(_ root: XMLElement) throws -> CoreDataModel {
    guard root.name == "model" else {
      throw ModelErrors([ModelError(.notAModel(root: root.name), at: root.location)])
    }
    checkFormat(root)
    check(root)
    for child in root.children where check(child, in: root) {
      switch child.name {
      case "entity": takeEntity(child)
      case "composite":
        note(
          .uncovered(
            .init(
              what: "composite attributes such as \"\(child.attribute("name") ?? "")\"",
              isOnlyHash: false)),
          child)
      default: checkDeeply(child)
      }
    }
    if entities.isEmpty, errors.isEmpty { note(.noEntity, root) }
    if entities.count > Self.mostEntities {
      throw ModelErrors([
        ModelError(.tooMany("entities", limit: Self.mostEntities), at: root.location)
      ])
    }
    var checks = ModelChecks(entities: entities)
    checks.run()
    errors += checks.errors
    warnings += checks.warnings
    guard errors.isEmpty else { throw ModelErrors(Self.inOrder(errors)) }
    return CoreDataModel(
      entities: entities, identifier: root.attribute("userDefinedModelVersionIdentifier") ?? "",
      file: file, warnings: warnings)
  }

  /// Errors in the order of the file, each once.
  private static func inOrder(_ errors: [ModelError]) -> [ModelError] {
    errors.enumerated().sorted {
      let (one, other) = ($0.element.location, $1.element.location)
      return (one.line, one.column, $0.offset) < (other.line, other.column, $1.offset)
    }.map(\.element)
  }

  /// Models of the years before Xcode 4 have other elements inside the same root.
  private mutating func checkFormat(_ root: XMLElement) {
    if let type = root.attribute("type"), type != "com.apple.IDECoreDataModeler.DataModel" {
      note(.olderFormat("of the type \"\(type)\""), root)
    } else if let version = root.attribute("documentVersion"), version != "1.0" {
      note(.olderFormat("in the version \"\(version)\" of the format"), root)
    }
  }

  // MARK: Notes

  mutating func note(_ reason: ModelError.Reason, _ element: XMLElement) {
    errors.append(ModelError(reason, at: element.location))
  }

  // MARK: What is known

  /// Notes what an element has that is not known.
  mutating func check(_ element: XMLElement) {
    guard let known = ModelVocabulary.element(element.name) else { return }
    for attribute in element.attributes where !known.attributes.contains(attribute.name) {
      // Where a schema stands, which validators want to know.
      if attribute.name == "xmlns" || attribute.name.hasPrefix("xmlns:") { continue }
      note(
        .unknownAttribute(
          attribute.name, of: element.name, known: known.attributes.sorted()), element)
    }
    if element.text.utf8.contains(where: { !" \t\r\n".utf8.contains($0) }) {
      note(.strayText(inside: element.name), element)
    }
  }

  /// Whether an element is known inside another one; notes it if not.
  mutating func check(_ element: XMLElement, in outer: XMLElement) -> Bool {
    let known = ModelVocabulary.element(outer.name)?.children ?? []
    guard known.contains(element.name) else {
      note(.unknownElement(element.name, inside: outer.name, known: known.sorted()), element)
      return false
    }
    return true
  }

  /// Checks an element that has no bearing on the store, with all that is in it.
  mutating func checkDeeply(_ element: XMLElement) {
    check(element)
    for child in element.children where check(child, in: element) { checkDeeply(child) }
  }

  // MARK: Entities

  private mutating func takeEntity(_ element: XMLElement) {
    check(element)
    guard let name = name(of: element, "an entity") else { return }
    var entity = ModelEntity(name, at: element.location)
    entity.parent = element.attribute("parentEntity")
    entity.isAbstract = flag("isAbstract", element)
    entity.className = element.attribute("representedClassName")
    entity.versionHashModifier = modifier(element)
    var seen: Set<String> = []
    for child in element.children where check(child, in: element) {
      switch child.name {
      case "attribute": if let attribute = attribute(child) { entity.attributes.append(attribute) }
      case "relationship":
        if let relationship = relationship(child) { entity.relationships.append(relationship) }
      case "fetchedProperty":
        checkDeeply(child)
        if let name = propertyName(of: child) {
          entity.fetchedProperties.append(Located(name, at: child.location))
        }
      case "fetchIndex": if let index = fetchIndex(child) { entity.indexes.append(index) }
      default:
        guard seen.insert(child.name).inserted else {
          note(.repeatedElement(child.name), child)
          continue
        }
        take(child, into: &entity)
      }
    }
    entities.append(entity)
  }

  /// Takes an element that stands in an entity once.
  private mutating func take(_ child: XMLElement, into entity: inout ModelEntity) {
    switch child.name {
    case "compoundIndexes": entity.indexes += compoundIndexes(child)
    case "uniquenessConstraints": entity.uniquenessConstraints = constraints(child)
    default: entity.userInfo = userInfo(child)
    }
  }

  /// The name that an element gives what it declares; notes when there is none.
  mutating func name(of element: XMLElement, _ what: String) -> String? {
    guard let name = element.attribute("name") else {
      note(.missingAttribute("name", of: element.name), element)
      return nil
    }
    guard ModelName.isValid(name) else {
      note(.wrongName(name, what: what), element)
      return nil
    }
    return name
  }

  /// The name of a property.
  mutating func propertyName(of element: XMLElement) -> String? {
    guard let name = name(of: element, "a property") else { return nil }
    if ModelVocabulary.reservedNames.contains(name) { note(.reservedName(name), element) }
    return name
  }
}

/// What Xcode takes for the name of an entity or property.
enum ModelName {
  /// The most bytes of a name; Xcode has no bound that anybody has met.
  static let mostBytes = 1_000

  static func isValid(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name.utf8.count <= mostBytes else { return false }
    return first.properties.isAlphabetic
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
          || $0.properties.generalCategory == .nonspacingMark
      }
  }
}
