internal import SeedModel

/// Turns the objects, arrays and values of a document into tokens.
///
/// An object is an element; its members that are neither objects nor arrays are fields of it, the
/// objects and the items of arrays among them are child elements of the member's name. What is no
/// object in an array is an element with the field `text`; arrays in arrays have the children
/// `item`.
///
/// A struct behind a pointer, not a class: each call then reaches its state without the checks that
/// Swift makes for a class's properties.
struct ObjectTokenizer {
  /// What an open value is.
  enum Kind: UInt8 {
    case object, array
    /// An object whose members are rows.
    case collection
  }

  /// A value between its start and its end.
  struct Open {
    var kind: Kind
    /// Whether a token has started it.
    var isElement: Bool
    /// Whether nothing contradicts so far that the object is a keyed collection.
    var isCandidate = false
    /// Whether the object is a row of a keyed collection.
    var isRow = false
    /// Whether another object of its place is open around it.
    var isNested = false
    /// The place of an object; of an array's items; of a collection's rows.
    var place: Int32
    /// The link that says whether the object is a collection; -1 when ``owner`` does.
    var link: Int32 = -1
    /// The place that says so.
    var owner: Int32 = -1
    /// The link of the member at hand, and the one that most likely follows; -1 for none.
    var current: Int32 = -1
    var expected: Int32 = -1
    /// Of an array 1 as soon as it has an item.
    var memberCount: UInt32 = 0
    /// How many members are among those that all rows have.
    var commonCount: UInt32 = 0
    /// Tells the object apart from all others.
    var serial: UInt64 = 0
    var line: UInt32
    var undoCount = 0
    /// Whether some of ``keptNames`` are of its members.
    var hasKeptNames = false
  }

  var batch: TokenBatch
  var places: ObjectPlaceTable
  /// The open values; room for as many as the limit allows.
  let open: UnsafeMutablePointer<Open>
  var openCount = 0
  var lastSerial: UInt64 = 0
  /// Where in the batch's bytes the key of the next row starts.
  var keyStart = 0
  /// The keys of the open collections, the innermost last, and after them sets to be used again.
  var keySets: [ObjectKeySet] = []
  var openCollectionCount = 0
  /// What members held before a nested object of the same place used them.
  var undo: [(link: Int32, seen: UInt64, instance: UInt64)] = []
  /// The names in objects that are members of a possible collection, by the objects' numbers, where
  /// the links forget them, since other objects of their place come inside of the collection.
  var keptNames: [UInt64: Set<Int32>] = [:]
  /// How many members the objects have that look like collections.
  var fitMemberCount: UInt64 = 0
  /// Of collections whose rows stand at a place that has the rows of other ones: what all of its rows
  /// have in common.
  var rowNames: [Int32: RowNames] = [:]
  /// How many bytes of the input were read.
  var inputBytesRead: Int64 = 0
  /// Whether the reading serves to find out about the structure only.
  var isScanning = false
  let marksEmptyMembers: Bool
  let fullByteCount: Int
  private let fullWordCount: Int
  /// Whether each token is handed over at once, with its place.
  private let givesPlaces: Bool
  /// Where the value, name or mark at hand stands, for those who ask for places.
  var tokenPlace = TokenPlace(offset: 0)
  /// Where the key of the next row stands; nil when none waits for its row.
  private var keyPlace: TokenPlace?
  private let deepest = InputLimits.depth
  let findings: StructureFindings
  /// Hands a complete batch over and gives an empty one; nil when nobody wants more.
  private let deliver: (TokenBatch) -> TokenBatch?

  /// An object with so many members is judged before its end, so that it does not use up the places
  /// of a document.
  var earlyMemberCount: UInt32 { 100 }

  /// A tokenizer at the start of a document.
  ///
  /// - Throws: ``ObjectFailure``, when the name of the records is too long.
  init(
    _ settings: ReaderSettings, findings: StructureFindings, firstBatch: TokenBatch,
    deliver: @escaping (TokenBatch) -> TokenBatch?
  ) throws(ObjectFailure) {
    batch = firstBatch
    places = try ObjectPlaceTable(
      findings: findings, recordName: settings.recordName, definitions: &batch.definitions)
    self.findings = findings
    self.deliver = deliver
    givesPlaces = settings.givesPlaces
    fullByteCount = givesPlaces ? 0 : TokenBatch.preferredByteCount
    fullWordCount = settings.batchWordCount
    marksEmptyMembers = settings.marksEmptyMembers
    open = .allocate(capacity: InputLimits.depth)
  }

  func deallocate() {
    open.deallocate()
    for keys in keySets { keys.deallocate() }
    places.deallocate()
    batch.deallocate()
  }

  /// The names that all rows of a keyed collection have, and the most that one of them has.
  struct RowNames {
    var common: Set<Int32>
    var most = 0
  }

  // MARK: Where the document is

  /// The innermost open value.
  ///
  /// - Precondition: There is one.
  @inline(__always)
  var top: UnsafeMutablePointer<Open> { open + (openCount - 1) }

  /// Whether the innermost open value is an array; false when none is open.
  @inline(__always)
  var isInArray: Bool { openCount > 0 && open[openCount - 1].kind == .array }

  // MARK: Open values and batches

  @inline(__always)
  mutating func push(_ value: Open) throws(ObjectFailure) {
    guard openCount < deepest else { throw .limit(.valuesTooDeep) }
    (open + openCount).initialize(to: value)
    openCount += 1
    if givesPlaces { try flush() }
    guard value.kind == .object else {
      if value.kind == .collection { openKeySet() }
      return
    }
    lastSerial += 1
    top.pointee.serial = lastSerial
    let place = places.places + Int(value.place)
    top.pointee.expected = place.pointee.firstLink
    if place.pointee.openCount > 0 {
      top.pointee.isNested = true
      place.pointee.isReentered = true
      keepNamesOfMembers(aroundTopAt: value.place)
    }
    place.pointee.openCount += 1
  }

  /// Makes a set for the keys of the collection that was opened.
  mutating func openKeySet() {
    if openCollectionCount < keySets.count {
      keySets[openCollectionCount].removeAll()
    } else {
      keySets.append(ObjectKeySet())
    }
    openCollectionCount += 1
  }

  @inline(__always)
  mutating func flushIfFull() throws(ObjectFailure) {
    // Whole records stay together where that is possible, so that a batch shows their shape.
    guard batch.byteCount >= fullByteCount || batch.wordCount >= fullWordCount else { return }
    let isOverfull =
      batch.byteCount >= 4 * fullByteCount || batch.wordCount >= 4 * fullWordCount
    if openCount <= 2 || isOverfull { try flush() }
  }

  /// Ends the document.
  ///
  /// - Throws: ``ObjectFailure/cancelled``.
  mutating func finish() throws(ObjectFailure) {
    settleCollections()
    try flush()
  }

  /// Says where the tokens of a batch stand: the start of a row comes with its key.
  private mutating func notePlaces() {
    batch.places = [tokenPlace]
    if let place = keyPlace.take() { batch.places.append(place) }
  }

  /// Keeps the place of a key until the value of its row is there.
  mutating func noteKeyPlace() {
    if givesPlaces { keyPlace = tokenPlace }
  }

  /// Hands over what is there.
  ///
  /// - Throws: ``ObjectFailure/cancelled``.
  mutating func flush() throws(ObjectFailure) {
    // An empty batch shows how far the reading is, and learns whether it still shall go on.
    if isScanning { batch.removeAll() }
    batch.inputBytesRead = inputBytesRead
    if givesPlaces { notePlaces() }
    guard let next = deliver(batch) else {
      // The batch is gone; an empty one keeps the state sound.
      batch = TokenBatch()
      throw .cancelled
    }
    batch = next
  }
}
