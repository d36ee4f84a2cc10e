internal import SeedModel

/// Finding out what the structure of a document is.
///
/// Objects are ordinary until one of at least three members is met that looks like a keyed
/// collection; then those of its path are read as collections, and every row is checked; one that
/// does not fit makes them ordinary for good. So the whole document decides, not a sample.
extension ObjectTokenizer {
  // MARK: Nulls

  /// Notes that the value of a member is an object or an array.
  @inline(__always)
  mutating func noteStructured(_ link: Int32) {
    guard !places.links[Int(link)].isStructured else { return }
    places.links[Int(link)].isStructured = true
    // A column was made for nulls that were none of a column.
    guard places.links[Int(link)].field >= 0, places.links[Int(link)].use.isEmpty else { return }
    revise(places.links[Int(link)].path) { $0.isStructured = true }
  }

  /// Notes that an array's item is an object or an array.
  @inline(__always)
  mutating func noteStructuredItem(at place: Int32) {
    guard !places.places[Int(place)].hasStructuredItems else { return }
    places.places[Int(place)].hasStructuredItems = true
    guard places.places[Int(place)].textField >= 0, places.places[Int(place)].textUse.isEmpty else {
      return
    }
    revise(places.places[Int(place)].path) { $0.hasStructuredItems = true }
  }

  private mutating func revise(_ path: Int32, _ change: (inout PathFindings) -> Void) {
    change(&places.findings[path])
    isScanning = true
  }

  // MARK: Keyed collections

  private static var fewestMembers: UInt32 { 3 }

  /// Notes that the innermost object is none, since a member of it is no object.
  mutating func rejectCandidate() {
    top.pointee.isCandidate = false
    setState(.ordinary, of: top)
  }

  private mutating func setState(
    _ state: CollectionState, of object: UnsafeMutablePointer<Open>
  ) {
    let link = object.pointee.link
    if link >= 0 {
      places.links[Int(link)].state = state
    } else if object.pointee.owner >= 0 {
      places.places[Int(object.pointee.owner)].state = state
    }
  }

  private func state(of object: UnsafeMutablePointer<Open>) -> CollectionState {
    let link = object.pointee.link
    return link >= 0
      ? places.links[Int(link)].state : places.places[Int(object.pointee.owner)].state
  }

  /// Notes that the innermost collection is none, since a member of it does not fit.
  mutating func rejectCollection() {
    reject(top)
  }

  private mutating func reject(_ collection: UnsafeMutablePointer<Open>) {
    guard state(of: collection) == .keyed else { return }
    decide(.ordinary, collection)
  }

  /// Decides for the next reading what the objects at an object's path are.
  private mutating func decide(
    _ state: CollectionState, _ object: UnsafeMutablePointer<Open>
  ) {
    setState(state, of: object)
    let link = object.pointee.link
    if link >= 0 {
      revise(places.links[Int(link)].path) { $0.member = state }
    } else {
      revise(places.places[Int(object.pointee.owner)].path) { $0.item = state }
    }
  }

  /// Decides at the end of an object whether it is a keyed collection.
  mutating func judgeCandidate(_ object: UnsafeMutablePointer<Open>) {
    guard object.pointee.memberCount >= ObjectTokenizer.fewestMembers,
      state(of: object) == .candidate
    else { return }
    if membersShareNames(object) {
      decide(.keyed, object)
    } else {
      setState(.ordinary, of: object)
    }
  }

  /// Decides the same in the middle of an object that has many members; the others are its rows.
  mutating func judgeOpenCandidate() {
    let object = top
    object.pointee.isCandidate = false
    judgeCandidate(object)
    guard state(of: object) == .keyed else { return }
    closePlace(of: object)
    object.pointee.kind = .collection
    openKeySet()
    // What is met from here on counts only for what it shows; any place will do.
    guard let rows = rowPlace(of: object) else { return }
    object.pointee.place = rows
  }

  private mutating func rowPlace(of object: UnsafeMutablePointer<Open>) -> Int32? {
    do throws(ObjectFailure) {
      if object.pointee.link >= 0 {
        return try places.rowPlace(
          of: object.pointee.link, below: parentPlace(of: object), &batch.definitions)
      }
      return try places.rowPlace(ofItem: object.pointee.owner, &batch.definitions)
    } catch {
      // The bound that is reached will be met again by the next reading, which says so.
      return nil
    }
  }

  /// The place of the object around an open one.
  private func parentPlace(of object: UnsafeMutablePointer<Open>) -> Int32 {
    object > open ? (object - 1).pointee.place : Int32(ObjectPlaceTable.root)
  }

  /// Whether the names that all members' objects have are at least half of those of each.
  private func membersShareNames(_ object: UnsafeMutablePointer<Open>) -> Bool {
    var common: Set<Int32>?
    var most = 0
    var link = places.places[Int(object.pointee.place)].firstLink
    while link >= 0 {
      let member = places.links[Int(link)]
      link = member.next
      guard member.seen == object.pointee.serial else { continue }
      // What was read as a collection has no names.
      guard member.place >= 0, member.instance > 0 else { return false }
      let names = names(at: member.place, of: member.instance)
      most = max(most, names.count)
      common = common?.intersection(names) ?? names
    }
    guard let common, !common.isEmpty else { return false }
    return 2 * common.count >= most
  }

  /// The names of an object's members.
  private func names(at place: Int32, of instance: UInt64) -> Set<Int32> {
    if let nested = nestedNames.last(where: { $0.instance == instance }) { return nested.names }
    var result: Set<Int32> = []
    var link = places.places[Int(place)].firstLink
    while link >= 0 {
      let member = places.links[Int(link)]
      if member.seen == instance { result.insert(member.name) }
      link = member.next
    }
    return result
  }

  /// Keeps the names in an object, if it is a member of a possible collection.
  mutating func keepNestedNames(of object: UnsafeMutablePointer<Open>) {
    guard object.pointee.link >= 0, (object - 1).pointee.isCandidate else { return }
    nestedNames.append(
      (object.pointee.serial, names(at: object.pointee.place, of: object.pointee.serial)))
    (object - 1).pointee.nestedCount += 1
  }

  /// Checks whether a row has enough in common with those before it.
  mutating func judgeRow(_ row: UnsafeMutablePointer<Open>) {
    let place = places.places + Int(row.pointee.place)
    if !place.pointee.hasRows || row.pointee.commonCount != place.pointee.commonCount {
      narrowCommonMembers(of: place, to: row)
    }
    place.pointee.mostMembers = max(place.pointee.mostMembers, row.pointee.memberCount)
    if place.pointee.commonCount == 0
      || 2 * place.pointee.commonCount < place.pointee.mostMembers
    {
      reject(row - 1)
    }
  }

  private func narrowCommonMembers(
    of place: UnsafeMutablePointer<ObjectPlaceTable.Place>, to row: UnsafeMutablePointer<Open>
  ) {
    let isFirst = !place.pointee.hasRows
    place.pointee.hasRows = true
    place.pointee.commonCount = 0
    var link = place.pointee.firstLink
    while link >= 0 {
      let member = places.links + Int(link)
      member.pointee.isCommon =
        (isFirst || member.pointee.isCommon) && member.pointee.seen == row.pointee.serial
      if member.pointee.isCommon { place.pointee.commonCount += 1 }
      link = member.pointee.next
    }
  }
}
