internal import SeedModel

/// Numbers the places and fields of a document of objects as they appear.
///
/// The tables are plain memory because every member of the document is looked up here.
struct ObjectPlaceTable {
  /// The elements at one place: objects, or the items of an array.
  struct Place {
    /// The number of the name; -1 for the root.
    var name: Int32
    var parent: Int32
    /// The path of its elements, in the findings.
    var path: Int32
    var firstLink: Int32 = -1
    var lastLink: Int32 = -1
    /// The field of the items that are no objects.
    var textField: Int32 = -1
    /// What that field was used for.
    var textUse: FieldUse = []
    /// Whether a null among the items is none of a column.
    var hasStructuredItems: Bool
    /// The field of the keys, where the elements are the rows of a keyed collection.
    var keyField: Int32 = -1
    /// The places of the items of elements that are arrays, and of the rows of those that are keyed
    /// collections.
    var itemPlace: Int32 = -1
    var rowPlace: Int32 = -1
    /// Whether the elements are keyed collections.
    var state: CollectionState
    /// Whether one looked like it, and whether others contradicted that in an earlier reading.
    var hasFit = false
    var hasMisled: Bool
    var isArray = false
    /// How many elements at the place are open: it may stand inside itself.
    var openCount: Int32 = 0
    /// Whether it ever stood inside itself.
    var isReentered = false
    /// Of the rows of a keyed collection: how many of them there were at least one of, how many
    /// members all of them have, and the most that one of them has.
    ///
    /// They are those of the collections that had the first row there; in recursion those of other
    /// ones may stand there as well.
    var rowOwner = ObjectPlaceTable.noOwner
    var hasRows = false
    var commonCount: UInt32 = 0
    var mostMembers: UInt32 = 0
  }

  /// One name among the members of a place's elements.
  struct Link {
    /// The first eight bytes of the name with a quote behind it, as the text of a document has it.
    ///
    /// The mask has those of them that count. Never equal for names that are written with escapes.
    var head: UInt64
    var headMask: UInt64
    var bytes: UnsafePointer<UInt8>
    var byteCount: Int
    /// The object that had it last, and the object that was its value then.
    var seen: UInt64 = 0
    var instance: UInt64 = 0
    var name: Int32
    /// The path of its values, in the findings.
    var path: Int32
    /// The field of values that are neither objects nor arrays.
    var field: Int32 = -1
    /// The place of objects and of the items of arrays.
    var place: Int32 = -1
    /// The place of the rows of a keyed collection.
    var rowPlace: Int32 = -1
    var next: Int32 = -1
    /// What the field was used for.
    var use: FieldUse = []
    /// Whether a null is none of a column.
    var isStructured: Bool
    /// Whether objects are keyed collections.
    var state: CollectionState
    /// Whether one looked like it, and whether others contradicted that in an earlier reading.
    var hasFit = false
    var hasMisled: Bool
    /// Whether all rows of the keyed collection have it.
    var isCommon = false
  }

  /// What values a field has had; none but nulls, if it is empty.
  struct FieldUse: OptionSet {
    let rawValue: UInt8

    static let plain = FieldUse(rawValue: 1)
    static let data = FieldUse(rawValue: 2)
    static let real = FieldUse(rawValue: 4)
    /// A plain value that is no string.
    static let bare = FieldUse(rawValue: 8)

    /// Adds to the use of a field, and to the definitions what that says of its column.
    mutating func add(
      _ more: FieldUse, to field: Int32, _ definitions: inout [TokenDefinition]
    ) {
      let old = self
      formUnion(more)
      if contains(.real), !old.contains(.real) { definitions.append(.real(field: Int(field))) }
      guard contains(.data) else { return }
      if contains(.plain) {
        if old != self, !old.isSuperset(of: [.data, .plain]) {
          definitions.append(.mixedData(field: Int(field)))
        }
      } else if !old.contains(.data) {
        definitions.append(.data(field: Int(field)))
      }
    }
  }

  // As large as the limits allow from the start: memory that is not touched costs nothing, and
  // nothing ever moves.
  let places: UnsafeMutablePointer<Place>
  private(set) var placeCount = 0
  let links: UnsafeMutablePointer<Link>
  private(set) var linkCount = 0
  private var fieldCount = 0
  private var index = ObjectLinkIndex()
  let findings: StructureFindings
  private let allowsCollections: Bool
  private let itemName: Int32
  private let recordName: Int32
  /// A name may belong to a field, a place, both, or to nulls.
  private static let mostLinks = InputLimits.fields + 2 * InputLimits.places

  /// The place of the outermost value.
  static let root = 0

  /// No collection's number.
  static let noOwner = Int32.min

  /// A table with nothing but the root's place.
  ///
  /// - Parameters:
  ///   - findings: What is known of the document.
  ///   - recordName: What its records are called that have no name.
  ///   - definitions: Takes the definition of the root.
  /// - Throws: ``ObjectFailure``, when the name is too long.
  init(
    findings: StructureFindings, recordName: String, definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) {
    self.findings = findings
    allowsCollections = findings.allowsCollections
    itemName = try findings.names.number(of: "item")
    self.recordName = try findings.names.number(of: recordName)
    places = .allocate(capacity: InputLimits.places)
    links = .allocate(capacity: ObjectPlaceTable.mostLinks)
    places.initialize(to: newPlace(name: -1, parent: -1, path: StructureFindings.rootPath))
    placeCount = 1
    definitions.append(.place(name: .document(recordName), parent: nil))
  }

  func deallocate() {
    places.deallocate()
    links.deallocate()
    index.deallocate()
  }

  private func newPlace(name: Int32, parent: Int32, path: Int32) -> Place {
    let known = findings[path]
    return Place(
      name: name, parent: parent, path: path, hasStructuredItems: known.hasStructuredItems,
      state: allowsCollections ? known.item : .ordinary, hasMisled: known.itemHasMisled)
  }

  // MARK: Members

  /// The link of the member `name` of the elements at `place`.
  mutating func link(_ name: Int32, of place: Int32) throws(ObjectFailure) -> Int32 {
    if let known = index.find(place, name) { return known }
    guard linkCount < ObjectPlaceTable.mostLinks else { throw ObjectPlaceTable.tooManyFields }
    let link = Int32(linkCount)
    let path = findings.path(places[Int(place)].path, .member, name)
    (links + linkCount).initialize(to: newLink(name, path))
    linkCount += 1
    let holder = places + Int(place)
    if holder.pointee.firstLink < 0 {
      holder.pointee.firstLink = link
    } else {
      links[Int(holder.pointee.lastLink)].next = link
    }
    holder.pointee.lastLink = link
    index.add(place, name, link)
    return link
  }

  private func newLink(_ name: Int32, _ path: Int32) -> Link {
    let text = findings.names.names[Int(name)]
    var head: UInt64 = 0
    var mask: UInt64 = 0
    var isPlain = true
    for position in 0...text.count {
      let byte = position < text.count ? text.bytes[position] : UInt8(ascii: "\"")
      if position < text.count, byte < 0x20 || byte == 0x22 || byte == 0x5C { isPlain = false }
      guard position < 8 else { continue }
      head |= UInt64(byte) << (8 * UInt64(position))
      mask |= 0xFF << (8 * UInt64(position))
    }
    if !isPlain {
      // No byte masked so is larger than 255.
      head = 1 << 32
      mask = 0xFF
    }
    let known = findings[path]
    return Link(
      head: head, headMask: mask, bytes: UnsafePointer(text.bytes), byteCount: text.count,
      name: name, path: path, isStructured: known.isStructured,
      state: allowsCollections ? known.member : .ordinary, hasMisled: known.memberHasMisled)
  }

  // MARK: Fields

  /// Gives a member its field.
  mutating func defineField(
    of link: Int32, place: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) {
    let number = try nextField()
    links[Int(link)].field = number
    let name = QualifiedName(local: findings.names.text(links[Int(link)].name))
    definitions.append(.attribute(name: name, place: Int(place)))
  }

  /// Gives the items at a place a field for those that are no objects.
  mutating func defineText(
    of place: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) {
    places[Int(place)].textField = try nextField()
    definitions.append(.attribute(name: QualifiedName(local: "text"), place: Int(place)))
  }

  /// Gives the rows at a place a field for their keys.
  mutating func defineKey(
    of place: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) {
    places[Int(place)].keyField = try nextField()
    definitions.append(.attribute(name: .collectionKey, place: Int(place)))
  }

  private mutating func nextField() throws(ObjectFailure) -> Int32 {
    guard fieldCount < InputLimits.fields else { throw ObjectPlaceTable.tooManyFields }
    fieldCount += 1
    return Int32(fieldCount - 1)
  }

  // MARK: Places

  /// The place of a member's objects or items.
  mutating func place(
    of link: Int32, below parent: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) -> Int32 {
    let known = links[Int(link)].place
    if known >= 0 { return known }
    let name = links[Int(link)].name
    let place = try addPlace(name, below: parent, path: links[Int(link)].path, &definitions)
    links[Int(link)].place = place
    return place
  }

  /// The place of the rows of a member that is a keyed collection.
  mutating func rowPlace(
    of link: Int32, below parent: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) -> Int32 {
    let known = links[Int(link)].rowPlace
    if known >= 0 { return known }
    let path = findings.path(links[Int(link)].path, .memberRows)
    let place = try addPlace(links[Int(link)].name, below: parent, path: path, &definitions)
    links[Int(link)].rowPlace = place
    noteArray(of: place, &definitions)
    return place
  }

  /// The place of the items of the arrays at a place.
  mutating func itemPlace(
    of place: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) -> Int32 {
    let known = places[Int(place)].itemPlace
    if known >= 0 { return known }
    let path = findings.path(places[Int(place)].path, .items)
    let item = try addPlace(nameOfItems(at: place), below: place, path: path, &definitions)
    places[Int(place)].itemPlace = item
    noteArray(of: item, &definitions)
    return item
  }

  /// The place of the rows of the keyed collections at a place.
  mutating func rowPlace(
    ofItem place: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) -> Int32 {
    let known = places[Int(place)].rowPlace
    if known >= 0 { return known }
    let path = findings.path(places[Int(place)].path, .itemRows)
    let row = try addPlace(nameOfItems(at: place), below: place, path: path, &definitions)
    places[Int(place)].rowPlace = row
    noteArray(of: row, &definitions)
    return row
  }

  private func nameOfItems(at place: Int32) -> Int32 {
    Int(place) == ObjectPlaceTable.root ? recordName : itemName
  }

  /// Says once that the elements at a place are those of an array.
  mutating func noteArray(of place: Int32, _ definitions: inout [TokenDefinition]) {
    guard !places[Int(place)].isArray else { return }
    places[Int(place)].isArray = true
    definitions.append(.array(place: Int(place)))
  }

  private mutating func addPlace(
    _ name: Int32, below parent: Int32, path: Int32, _ definitions: inout [TokenDefinition]
  ) throws(ObjectFailure) -> Int32 {
    var ancestor = parent
    while ancestor >= 0 {
      if places[Int(ancestor)].name == name {
        // An object inside one of its own kind is the same place, so that recursion has an end.
        definitions.append(.recursion(place: Int(ancestor), parent: Int(parent)))
        return ancestor
      }
      ancestor = places[Int(ancestor)].parent
    }
    guard placeCount < InputLimits.places else {
      throw .limit(.tooMany(what: "different paths of names", limit: InputLimits.places))
    }
    let place = Int32(placeCount)
    (places + placeCount).initialize(to: newPlace(name: name, parent: parent, path: path))
    placeCount += 1
    let text = QualifiedName(local: findings.names.text(name))
    definitions.append(.place(name: text, parent: Int(parent)))
    return place
  }

  private static var tooManyFields: ObjectFailure {
    .limit(.tooMany(what: "different members of objects", limit: InputLimits.fields))
  }
}
