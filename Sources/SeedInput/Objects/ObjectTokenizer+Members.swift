internal import SeedModel

/// The names of members, and the keys of rows.
extension ObjectTokenizer {
  /// The member that is written here, if it is the one expected; -1 if not.
  ///
  /// - Parameters:
  ///   - text: The name as the document has it, up to its closing quote and beyond.
  ///   - end: The end of what is there to read; at least eight bytes follow.
  /// - Returns: The member's link.
  @inline(__always)
  func expectedMember(at text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int32 {
    let head = UnsafeRawPointer(text).loadUnaligned(as: UInt64.self)
    var link = open[openCount - 1].expected
    // Most often it is the next one, or one is left out.
    for _ in 0..<3 {
      guard link >= 0 else { return -1 }
      let candidate = places.links + Int(link)
      if UInt64(littleEndian: head) & candidate.pointee.headMask == candidate.pointee.head,
        candidate.pointee.byteCount < 8
          || ObjectTokenizer.hasTail(of: candidate, text, end: end)
      {
        return link
      }
      link = candidate.pointee.next
    }
    return -1
  }

  @inline(__always)
  private static func hasTail(
    of link: UnsafeMutablePointer<ObjectPlaceTable.Link>, _ text: UnsafePointer<UInt8>,
    end: UnsafePointer<UInt8>
  ) -> Bool {
    let count = link.pointee.byteCount
    guard end - text > count, text[count] == UInt8(ascii: "\"") else { return false }
    let name = link.pointee.bytes
    var index = 8
    while index < count {
      if text[index] != name[index] { return false }
      index += 1
    }
    return true
  }

  /// Starts the member of a name in the innermost object.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func member(_ name: UnsafePointer<UInt8>, count: Int) throws(ObjectFailure) {
    let number = try findings.names.number(of: name, count: count)
    try takeMember(try places.link(number, of: top.pointee.place))
  }

  /// Starts the member of a name, or the key of a row.
  ///
  /// - Throws: ``ObjectFailure``.
  mutating func name(_ name: UnsafePointer<UInt8>, count: Int) throws(ObjectFailure) {
    guard top.pointee.kind == .collection else { return try member(name, count: count) }
    startKey()
    batch.append(bytes: name, count: count)
    try endKey()
  }

  /// Starts a member that is known.
  ///
  /// - Throws: ``ObjectFailure/duplicate(_:)``.
  @inline(__always)
  mutating func takeMember(_ link: Int32) throws(ObjectFailure) {
    let object = top
    let member = places.links + Int(link)
    if member.pointee.seen == object.pointee.serial {
      throw .duplicate(findings.names.text(member.pointee.name))
    }
    if object.pointee.isNested { keepForUndo(link, of: object) }
    member.pointee.seen = object.pointee.serial
    object.pointee.current = link
    object.pointee.expected = member.pointee.next
    object.pointee.memberCount &+= 1
    if member.pointee.isCommon { object.pointee.commonCount &+= 1 }
  }

  private mutating func keepForUndo(_ link: Int32, of object: UnsafeMutablePointer<Open>) {
    undo.append((link, places.links[Int(link)].seen, places.links[Int(link)].instance))
    object.pointee.undoCount += 1
    // An object around this one still has that member.
    places.links[Int(link)].instance = 0
  }

  /// Starts the key of a row of the innermost collection; its bytes are appended to the batch.
  @inline(__always)
  mutating func startKey() {
    keyStart = batch.byteCount
    noteKeyPlace()
  }

  /// Ends the key of a row.
  ///
  /// - Throws: ``ObjectFailure``, when it is too long, or the collection has it already.
  mutating func endKey() throws(ObjectFailure) {
    top.pointee.memberCount &+= 1
    let key = UnsafePointer(batch.bytes + keyStart)
    let count = batch.byteCount - keyStart
    if openCollectionCount > 0,
      !keySets[openCollectionCount - 1].insert(key, count: count)
    {
      throw .duplicate(
        String(decoding: UnsafeBufferPointer(start: key, count: count), as: UTF8.self))
    }
    guard batch.byteCount - keyStart <= InputLimits.nameBytes else {
      throw .limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
  }
}
