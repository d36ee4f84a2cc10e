internal import SeedInput
internal import SeedModel

extension ModelReader {
  /// The index that a `fetchIndex` declares.
  mutating func fetchIndex(_ element: XMLElement) -> ModelIndex? {
    check(element)
    guard let name = element.attribute("name"), !name.isEmpty else {
      note(.missingAttribute("name", of: element.name), element)
      return nil
    }
    guard ModelName.isValid(name) else {
      note(.wrongName(name, what: "an index"), element)
      return nil
    }
    for option in ["partialIndexPredicate", "predicateString"]
    where element.attribute(option)?.isEmpty == false {
      note(.uncovered(.init(what: "the partial index \"\(name)\"", isOnlyHash: false)), element)
    }
    var index = ModelIndex(kind: .fetch, name: name, elements: [], location: element.location)
    for child in element.children where check(child, in: element) {
      if let part = fetchIndexElement(child, of: name) { index.elements.append(part) }
    }
    return index
  }

  private mutating func fetchIndexElement(
    _ element: XMLElement, of index: String
  ) -> ModelIndex.Element? {
    check(element)
    if element.attribute("expression") != nil {
      note(
        .uncovered(.init(what: "the expression in the index \"\(index)\"", isOnlyHash: false)),
        element)
      return nil
    }
    guard let property = element.attribute("property") else {
      note(.missingAttribute("property", of: element.name), element)
      return nil
    }
    switch element.attribute("type") {
    case nil, "Binary": break
    case "RTree":
      note(.uncovered(.init(what: "the R-tree index \"\(index)\"", isOnlyHash: false)), element)
    default: noteValue("type", element, expected: "Binary or RTree")
    }
    var result = ModelIndex.Element(property: property, location: element.location)
    switch element.attribute("order") {
    case nil, "ascending": break
    case "descending": result.isDescending = true
    default: noteValue("order", element, expected: "ascending or descending")
    }
    return result
  }

  /// The indexes that `compoundIndexes` declares.
  mutating func compoundIndexes(_ element: XMLElement) -> [ModelIndex] {
    check(element)
    var result: [ModelIndex] = []
    for child in element.children where check(child, in: element) {
      check(child)
      let elements = names(in: child).map {
        ModelIndex.Element(property: $0.value, location: $0.location ?? child.location)
      }
      result.append(
        ModelIndex(
          kind: .compound, name: elements.map(\.property).joined(separator: "_"),
          elements: elements, location: child.location))
    }
    return result
  }

  /// The constraints that `uniquenessConstraints` declares.
  mutating func constraints(_ element: XMLElement) -> [UniquenessConstraint] {
    check(element)
    var result: [UniquenessConstraint] = []
    for child in element.children where check(child, in: element) {
      check(child)
      result.append(UniquenessConstraint(attributes: names(in: child), location: child.location))
    }
    return result
  }

  /// The values of the elements inside another one.
  private mutating func names(in element: XMLElement) -> [Located<String>] {
    var result: [Located<String>] = []
    for child in element.children where check(child, in: element) {
      check(child)
      if let value = child.attribute("value") {
        result.append(Located(value, at: child.location))
      } else {
        note(.missingAttribute("value", of: child.name), child)
      }
    }
    return result
  }
}
