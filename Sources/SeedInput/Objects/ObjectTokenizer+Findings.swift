internal import SeedModel

/// Finding out what the structure of a document is.
///
/// Objects are ordinary until one of at least three members looks like a keyed collection, and none at
/// its path contradicts; then the next reading takes those of its path for collections and checks
/// every row; one that does not fit makes them ordinary for good. What a reading takes them for stays
/// until its end, so the whole document decides, whatever the order of what is in it.
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

  /// When so many members stand in objects that look like collections, the next one decides at once:
  /// as members of ordinary objects they would use up the names of a document.
  private static var mostFitMembers: UInt64 { 10_000 }

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
    decide(.ordinary, collection)
  }

  /// Decides for the next reading what the objects at an object's path are.
  private mutating func decide(
    _ state: CollectionState, _ object: UnsafeMutablePointer<Open>
  ) {
    let link = object.pointee.link
    if link >= 0 {
      let path = places.links[Int(link)].path
      if places.findings[path].member != state { revise(path) { $0.member = state } }
    } else {
      let path = places.places[Int(object.pointee.owner)].path
      if places.findings[path].item != state { revise(path) { $0.item = state } }
    }
  }

  /// Decides at the end of the document about all objects that look like keyed collections.
  mutating func settleCollections() {
    for number in 0..<places.linkCount where places.links[number].hasFit {
      let link = places.links[number]
      if link.state == .candidate {
        revise(link.path) { $0.member = .keyed }
      } else if link.state == .ordinary, !link.hasMisled {
        revise(link.path) { $0.memberHasMisled = true }
      }
    }
    for number in 0..<places.placeCount where places.places[number].hasFit {
      let place = places.places[number]
      if place.state == .candidate {
        revise(place.path) { $0.item = .keyed }
      } else if place.state == .ordinary, !place.hasMisled {
        revise(place.path) { $0.itemHasMisled = true }
      }
    }
  }

  /// Judges at the end of an object whether it looks like a keyed collection.
  mutating func judgeCandidate(_ object: UnsafeMutablePointer<Open>) {
    guard object.pointee.memberCount >= ObjectTokenizer.fewestMembers,
      state(of: object) == .candidate
    else { return }
    guard membersShareNames(object) else { return setState(.ordinary, of: object) }
    let hasMisled: Bool
    if object.pointee.link >= 0 {
      places.links[Int(object.pointee.link)].hasFit = true
      hasMisled = places.links[Int(object.pointee.link)].hasMisled
    } else {
      places.places[Int(object.pointee.owner)].hasFit = true
      hasMisled = places.places[Int(object.pointee.owner)].hasMisled
    }
    // What is given out from here on would most likely have to be forgotten.
    if !hasMisled { isScanning = true }
    fitMemberCount += UInt64(object.pointee.memberCount)
    if fitMemberCount > ObjectTokenizer.mostFitMembers { decideAtOnce(object) }
  }

  /// Takes the objects at an object's path for keyed collections from here on.
  private mutating func decideAtOnce(_ object: UnsafeMutablePointer<Open>) {
    decide(.keyed, object)
    setState(.keyed, of: object)
  }

  /// Decides the same in the middle of an object that has many members; the others are its rows.
  mutating func judgeOpenCandidate() {
    let object = top
    object.pointee.isCandidate = false
    judgeCandidate(object)
    if object.pointee.hasKeptNames { forgetNamesOfMembers(of: object) }
    if state(of: object) == .candidate { decideAtOnce(object) }
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
    if !keptNames.isEmpty, let names = keptNames[instance] { return names }
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
  mutating func keepNames(of object: UnsafeMutablePointer<Open>) {
    guard object.pointee.link >= 0, (object - 1).pointee.isCandidate else { return }
    keptNames[object.pointee.serial] = names(
      at: object.pointee.place, of: object.pointee.serial)
    (object - 1).pointee.hasKeptNames = true
  }

  /// Keeps the names in the members of the object of a place that is open around the innermost one,
  /// if that may be a collection: the members of the inner one stand at the same places.
  mutating func keepNamesOfMembers(aroundTopAt place: Int32) {
    var outer = top
    repeat {
      guard outer > open else { return }
      outer -= 1
    } while outer.pointee.kind != .object || outer.pointee.place != place
    guard outer.pointee.isCandidate else { return }
    // The member at hand is not complete yet.
    for member in members(of: outer)
    where member.name != places.links[Int(outer.pointee.current)].name
      && keptNames[member.instance] == nil
    {
      keptNames[member.instance] = names(at: member.place, of: member.instance)
      outer.pointee.hasKeptNames = true
    }
  }

  mutating func forgetNamesOfMembers(of object: UnsafeMutablePointer<Open>) {
    for member in members(of: object) { keptNames[member.instance] = nil }
  }

  /// The members of an object that are objects.
  private func members(of object: UnsafeMutablePointer<Open>) -> [ObjectPlaceTable.Link] {
    var result: [ObjectPlaceTable.Link] = []
    var link = places.places[Int(object.pointee.place)].firstLink
    while link >= 0 {
      let member = places.links[Int(link)]
      link = member.next
      guard member.seen == object.pointee.serial, member.place >= 0, member.instance > 0 else {
        continue
      }
      result.append(member)
    }
    return result
  }

  /// Checks whether a row has enough in common with those before it.
  mutating func judgeRow(_ row: UnsafeMutablePointer<Open>) {
    let place = places.places + Int(row.pointee.place)
    let collection = row - 1
    let owner =
      collection.pointee.link >= 0 ? collection.pointee.link : -1 - collection.pointee.owner
    if place.pointee.rowOwner == ObjectPlaceTable.noOwner { place.pointee.rowOwner = owner }
    guard place.pointee.rowOwner == owner else { return judgeForeignRow(row, of: owner) }
    // Rows inside of this one may have changed what is common after some of it was counted.
    if !place.pointee.hasRows || place.pointee.isReentered
      || row.pointee.commonCount != place.pointee.commonCount
    {
      narrowCommonMembers(of: place, to: row)
    }
    place.pointee.mostMembers = max(place.pointee.mostMembers, row.pointee.memberCount)
    if place.pointee.commonCount == 0
      || 2 * place.pointee.commonCount < place.pointee.mostMembers
    {
      reject(collection)
    }
  }

  /// Checks a row that stands at a place of other collections' rows.
  private mutating func judgeForeignRow(_ row: UnsafeMutablePointer<Open>, of owner: Int32) {
    let names = names(at: row.pointee.place, of: row.pointee.serial)
    var known = rowNames[owner] ?? RowNames(common: names)
    known.common.formIntersection(names)
    known.most = max(known.most, names.count)
    if known.common.isEmpty || 2 * known.common.count < known.most { reject(row - 1) }
    rowNames[owner] = known
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
