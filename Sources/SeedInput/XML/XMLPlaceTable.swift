internal import SeedModel

/// Numbers the places and fields of a document as they appear.
///
/// Names are compared by the addresses that libxml2's dictionary gives them: one string, one
/// address, for the whole of a parse. The tables are plain memory because every element and
/// attribute of the document is looked up here.
struct XMLPlaceTable {
  /// Names as libxml2 hands them over; the addresses are good for the whole parse.
  struct NameKey: Hashable {
    var local: UnsafePointer<UInt8>
    var prefix: UnsafePointer<UInt8>?
    var namespace: UnsafePointer<UInt8>?

    /// The same name, whatever prefix it is written with.
    @inline(__always)
    func matches(_ other: NameKey) -> Bool {
      local == other.local && namespace == other.namespace
        && (namespace != nil || prefix == other.prefix)
    }
  }

  private struct Place {
    var name: NameKey
    var parent: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    /// The child link matched last: the next element is most often the same or the one after.
    var recentChild: Int32 = -1
    var firstField: Int32 = -1
    var lastField: Int32 = -1
    /// The field link expected next: attributes mostly come in the same order.
    var expectedField: Int32 = -1
    var textField: Int32 = -1
  }

  private struct Link {
    var name: NameKey
    /// The number of the place or field.
    var index: Int32
    var next: Int32 = -1
  }

  // As large as the limits allow from the start: memory that is not touched costs nothing, and
  // nothing ever moves.
  private let places: UnsafeMutablePointer<Place>
  private var placeCount = 0
  private let childLinks: UnsafeMutablePointer<Link>
  private var childLinkCount = 0
  private let fieldLinks: UnsafeMutablePointer<Link>
  private var fieldLinkCount = 0
  private var fieldCount = 0
  /// A place may stand below several of its descendants too.
  private static let mostChildLinks = 2 * InputLimits.places

  init() {
    places = .allocate(capacity: InputLimits.places)
    childLinks = .allocate(capacity: XMLPlaceTable.mostChildLinks)
    fieldLinks = .allocate(capacity: InputLimits.fields)
  }

  func deallocate() {
    places.deallocate()
    childLinks.deallocate()
    fieldLinks.deallocate()
  }

  /// Links are searched from the start; past this many, a dictionary is used.
  private static let longestSearch = 24
  private var childIndex: [LinkKey: Int32] = [:]
  private var fieldIndex: [LinkKey: Int32] = [:]

  private struct LinkKey: Hashable {
    var place: Int32
    var local: UnsafePointer<UInt8>
    var qualifier: UnsafePointer<UInt8>?
    var hasNamespace: Bool

    init(_ place: Int32, _ name: NameKey) {
      self.place = place
      local = name.local
      hasNamespace = name.namespace != nil
      qualifier = name.namespace ?? name.prefix
    }
  }

  /// Why no number could be given.
  enum Failure: Error {
    case tooManyPlaces, tooManyFields, nameTooLong
  }

  /// The place of the child `name` of `parent`; -1 is the parent of the root.
  @inline(__always)
  mutating func place(
    _ name: NameKey, below parent: Int, definitions: inout [TokenDefinition]
  ) throws(Failure) -> Int {
    guard parent >= 0 else {
      return try addPlace(name, below: -1, definitions: &definitions)
    }
    let recent = Int(places[parent].recentChild)
    if recent >= 0 {
      if childLinks[recent].name.matches(name) { return Int(childLinks[recent].index) }
      let next = Int(childLinks[recent].next)
      if next >= 0, childLinks[next].name.matches(name) {
        places[parent].recentChild = Int32(next)
        return Int(childLinks[next].index)
      }
    }
    if let link = findChild(name, of: parent) {
      places[parent].recentChild = Int32(link)
      return Int(childLinks[link].index)
    }
    return try addPlace(name, below: parent, definitions: &definitions)
  }

  private func findChild(_ name: NameKey, of parent: Int) -> Int? {
    var link = Int(places[parent].firstChild)
    var searched = 0
    while link >= 0 {
      if childLinks[link].name.matches(name) { return link }
      link = Int(childLinks[link].next)
      searched += 1
      if searched == XMLPlaceTable.longestSearch {
        return childIndex[LinkKey(Int32(parent), name)].map(Int.init)
      }
    }
    return nil
  }

  private mutating func addPlace(
    _ name: NameKey, below parent: Int, definitions: inout [TokenDefinition]
  ) throws(Failure) -> Int {
    try XMLPlaceTable.checkLength(of: name)
    var ancestor = parent
    while ancestor >= 0 {
      if places[ancestor].name.matches(name) {
        // An element inside one of its own kind is the same place, so that recursion has an end.
        try addChildLink(name, to: ancestor, of: parent)
        definitions.append(.recursion(place: ancestor, parent: parent))
        return ancestor
      }
      ancestor = Int(places[ancestor].parent)
    }
    guard placeCount < InputLimits.places else { throw .tooManyPlaces }
    let index = placeCount
    (places + index).initialize(to: Place(name: name, parent: Int32(parent)))
    placeCount += 1
    if parent >= 0 { try addChildLink(name, to: index, of: parent) }
    definitions.append(
      .place(name: XMLPlaceTable.qualifiedName(name), parent: parent >= 0 ? parent : nil))
    return index
  }

  private mutating func addChildLink(
    _ name: NameKey, to place: Int, of parent: Int
  ) throws(Failure) {
    guard childLinkCount < XMLPlaceTable.mostChildLinks else { throw .tooManyPlaces }
    let link = Int32(childLinkCount)
    (childLinks + childLinkCount).initialize(to: Link(name: name, index: Int32(place)))
    childLinkCount += 1
    if places[parent].firstChild < 0 {
      places[parent].firstChild = link
    } else {
      childLinks[Int(places[parent].lastChild)].next = link
    }
    places[parent].lastChild = link
    places[parent].recentChild = link
    childIndex[LinkKey(Int32(parent), name)] = link
  }

  /// The field of the attribute `name` of the elements at `place`.
  @inline(__always)
  mutating func field(
    _ name: NameKey, of place: Int, definitions: inout [TokenDefinition]
  ) throws(Failure) -> Int {
    let expected = Int(places[place].expectedField)
    if expected >= 0, fieldLinks[expected].name.matches(name) {
      expectField(after: expected, of: place)
      return Int(fieldLinks[expected].index)
    }
    return try searchedField(name, of: place, definitions: &definitions)
  }

  private mutating func searchedField(
    _ name: NameKey, of place: Int, definitions: inout [TokenDefinition]
  ) throws(Failure) -> Int {
    if let link = findField(name, of: place) {
      expectField(after: link, of: place)
      return Int(fieldLinks[link].index)
    }
    try XMLPlaceTable.checkLength(of: name)
    let index = try nextField()
    let link = Int32(fieldLinkCount)
    (fieldLinks + fieldLinkCount).initialize(to: Link(name: name, index: Int32(index)))
    fieldLinkCount += 1
    if places[place].firstField < 0 {
      places[place].firstField = link
    } else {
      fieldLinks[Int(places[place].lastField)].next = link
    }
    places[place].lastField = link
    places[place].expectedField = places[place].firstField
    fieldIndex[LinkKey(Int32(place), name)] = link
    definitions.append(.attribute(name: XMLPlaceTable.qualifiedName(name), place: place))
    return index
  }

  @inline(__always)
  private mutating func expectField(after link: Int, of place: Int) {
    let next = fieldLinks[link].next
    places[place].expectedField = next >= 0 ? next : places[place].firstField
  }

  private func findField(_ name: NameKey, of place: Int) -> Int? {
    var link = Int(places[place].firstField)
    var searched = 0
    while link >= 0 {
      if fieldLinks[link].name.matches(name) { return link }
      link = Int(fieldLinks[link].next)
      searched += 1
      if searched == XMLPlaceTable.longestSearch {
        return fieldIndex[LinkKey(Int32(place), name)].map(Int.init)
      }
    }
    return nil
  }

  /// Makes sure that `place` has a field for its direct text.
  @inline(__always)
  mutating func defineText(
    of place: Int, definitions: inout [TokenDefinition]
  ) throws(Failure) {
    if places[place].textField >= 0 { return }
    places[place].textField = Int32(try nextField())
    definitions.append(.text(place: place))
  }

  private mutating func nextField() throws(Failure) -> Int {
    guard fieldCount < InputLimits.fields else { throw .tooManyFields }
    fieldCount += 1
    return fieldCount - 1
  }

  /// Checked once a name, when it is new.
  private static func checkLength(of name: NameKey) throws(Failure) {
    var count = 0
    while name.local[count] != 0 {
      count += 1
      if count > InputLimits.nameBytes { throw .nameTooLong }
    }
  }

  private static func qualifiedName(_ name: NameKey) -> QualifiedName {
    QualifiedName(
      local: String(cString: name.local), prefix: name.prefix.map { String(cString: $0) },
      namespace: name.namespace.map { String(cString: $0) })
  }
}
