internal import SeedModel

/// Goes through the objects of a binary property list from the outermost in, each as often as
/// others refer to it.
struct BinaryPropertyListWalk {
  let list: BinaryPropertyList
  var tokenizer: ObjectTokenizer
  private let name: String
  private var frames: [Frame] = []
  /// The objects of the frames, so that none is met inside itself.
  private var openObjects: Set<UInt64> = []
  /// How many bytes were gone through, an object counting each time.
  private var expandedByteCount: Int64 = 0
  private var visitCount: UInt64 = 0
  private let mostExpandedBytes: Int64
  /// A piece of a text or of data; for keys, a whole one.
  let buffer: UnsafeMutablePointer<UInt8>
  /// A multiple of three, for Base64, and room for the longest key in UTF-16.
  static let bufferByteCount = 24 << 10

  /// An array or dictionary that has not been gone through.
  private struct Frame {
    var object: UInt64
    var isDictionary: Bool
    /// Where its references stand: in a dictionary, the keys' come first.
    var references: Int64
    var count: Int64
    var index: Int64 = 0
  }

  init(_ list: BinaryPropertyList, tokenizer: ObjectTokenizer, name: String) {
    self.list = list
    self.tokenizer = tokenizer
    self.name = name
    let (most, isTooLarge) = list.bytes.count.multipliedReportingOverflow(
      by: Int64(InputLimits.sharedValueFactor))
    mostExpandedBytes = isTooLarge ? .max : most + Int64(InputLimits.sharedValueAllowance)
    buffer = .allocate(capacity: BinaryPropertyListWalk.bufferByteCount)
  }

  func deallocate() {
    buffer.deallocate()
    tokenizer.deallocate()
  }

  /// Goes through everything; true when nobody wanted all of it.
  ///
  /// - Throws: ``InputError``.
  mutating func run() throws -> Bool {
    do {
      let top = try list.object(list.topObject)
      guard (0xA...0xD).contains(top.type) else {
        throw list.failure(
          "a property list to build from is a dictionary or an array", at: top.start)
      }
      try visit(list.topObject)
      while let frame = frames.last {
        if frame.index < frame.count {
          try visitNext(of: frame)
        } else {
          try close(frame)
        }
      }
      try tokenizer.finish()
      return false
    } catch let failure as ObjectFailure {
      return try stop(failure)
    }
  }

  private func stop(_ failure: ObjectFailure) throws -> Bool {
    switch failure {
    case .cancelled: return true
    case .limit(let reason): throw InputError(reason, at: SourceLocation(file: name))
    case .duplicate(let key):
      throw list.failure("a dictionary has the key \"\(key)\" twice", at: frames.last?.references)
    }
  }

  private mutating func visitNext(of frame: Frame) throws {
    frames[frames.count - 1].index += 1
    let size = Int64(list.referenceByteCount)
    var position = frame.references + frame.index * size
    if frame.isDictionary {
      try takeKey(try list.reference(at: position))
      position += frame.count * size
    }
    try visit(try list.reference(at: position))
  }

  private mutating func close(_ frame: Frame) throws {
    frames.removeLast()
    openObjects.remove(frame.object)
    if frame.isDictionary { try tokenizer.endObject() } else { try tokenizer.endArray() }
  }

  // MARK: Objects

  private mutating func visit(_ number: UInt64) throws {
    let object = try list.object(number)
    switch object.type {
    case 0xA, 0xB, 0xC, 0xD: try open(object, number)
    default: try takeValue(object)
    }
    visitCount += 1
    // For progress: as if all objects were of one size and met once.
    let share = Double(visitCount) / Double(list.objectCount)
    tokenizer.inputBytesRead = Int64(Double(list.bytes.count) * min(1, share))
  }

  private mutating func open(_ object: BinaryPropertyList.Object, _ number: UInt64) throws {
    let isDictionary = object.type == 0xD
    let size = Int64(list.referenceByteCount) * (isDictionary ? 2 : 1)
    try list.check(object, byteCount: object.count * size)
    guard openObjects.insert(number).inserted else {
      throw list.failure("object \(number) is inside itself", at: object.start)
    }
    try count(object.count * size, at: object)
    if isDictionary {
      try tokenizer.startObject(line: 0)
    } else {
      try tokenizer.startArray(line: 0)
    }
    frames.append(
      Frame(
        object: number, isDictionary: isDictionary, references: object.content,
        count: object.count))
  }

  /// Fails when shared objects are met so often that the list expands beyond all bounds.
  mutating func count(_ byteCount: Int64, at object: BinaryPropertyList.Object) throws {
    // Each visit takes time, however little it finds.
    expandedByteCount += byteCount + 16
    guard expandedByteCount <= mostExpandedBytes else {
      throw InputError(
        .malformed(
          "objects that are used again and again expand to more than"
            + " \(InputLimits.sharedValueFactor) times the file's size",
          hint: "write the property list anew without shared objects, if it can be trusted"),
        at: SourceLocation(file: name))
    }
  }

  private mutating func takeKey(_ number: UInt64) throws {
    let object = try list.object(number)
    guard object.type == 5 || object.type == 6 else {
      throw list.failure("a key that is no string", at: object.start)
    }
    guard object.count <= Int64(InputLimits.nameBytes) else {
      throw ObjectFailure.limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
    let start = tokenizer.batch.byteCount
    try appendString(object)
    let count = tokenizer.batch.byteCount - start
    tokenizer.batch.byteCount = start
    buffer.update(from: tokenizer.batch.bytes + start, count: count)
    try tokenizer.name(UnsafePointer(buffer), count: count)
  }
}
