internal import SeedModel
internal import SeedSQLite

/// An object between the start and the end of its element.
///
/// The memory of one that was closed serves the next at the same depth.
struct OpenObject {
  private(set) var shape = 0
  private(set) var role = 0
  private(set) var line: UInt32 = 0
  private(set) var key: Int64 = 0
  /// The number in `Z_ENT`.
  private(set) var id: Int64 = 0
  private(set) var columnCount = 0
  /// The sum of the values' bytes, for the bound on a row.
  var byteCount = 0
  /// What the columns get.
  private(set) var cells: UnsafeMutablePointer<BoundValue>
  /// Which of them the document has given a value.
  private(set) var isSet: UnsafeMutablePointer<Bool>
  /// Room for a converted value of each column.
  private(set) var scratch: UnsafeMutablePointer<UInt8>
  private var columnCapacity = 16
  /// How many objects stand in this one by each relationship.
  private(set) var counters: UnsafeMutablePointer<Int64>
  private var counterCapacity = 8
  /// Values that outlive their batch.
  private var owned: [UnsafeMutablePointer<UInt8>] = []
  /// The columns whose values lie in the scratch memory.
  private(set) var scratchColumns: [Int] = []
  /// The runs of its own text.
  var text: [UInt8] = []
  /// The parts of arrays and dictionaries, by column.
  var structures: [Int: CollectedValue] = [:]

  init() {
    cells = .allocate(capacity: columnCapacity)
    isSet = .allocate(capacity: columnCapacity)
    scratch = .allocate(capacity: columnCapacity * AttributeConversion.scratchSize)
    counters = .allocate(capacity: counterCapacity)
  }

  func deallocate() {
    cells.deallocate()
    isSet.deallocate()
    scratch.deallocate()
    counters.deallocate()
    for bytes in owned { bytes.deallocate() }
  }

  /// Whether there is memory to free with ``close()``.
  @inline(__always)
  var ownsBytes: Bool { !owned.isEmpty }

  /// Starts an object anew.
  @inline(__always)
  mutating func open(
    _ shape: UnsafeMutablePointer<ObjectShape>, number: Int, role: Int, line: UInt32, key: Int64
  ) {
    columnCount = shape.pointee.columnCount
    let counterCount = shape.pointee.counterCount
    if columnCount > columnCapacity || counterCount > counterCapacity {
      grow(columns: columnCount, counters: counterCount)
    }
    self.shape = number
    self.role = role
    self.line = line
    self.key = key
    id = shape.pointee.id
    byteCount = 0
    cells.update(from: shape.pointee.template, count: columnCount)
    isSet.update(repeating: false, count: columnCount)
    counters.update(repeating: 0, count: counterCount)
    cells[StorePlan.keyColumn] = .integer(key)
  }

  private mutating func grow(columns: Int, counters newCount: Int) {
    if columns > columnCapacity {
      columnCapacity = columns * 2
      cells.deallocate()
      isSet.deallocate()
      scratch.deallocate()
      cells = .allocate(capacity: columnCapacity)
      isSet = .allocate(capacity: columnCapacity)
      scratch = .allocate(capacity: columnCapacity * AttributeConversion.scratchSize)
    }
    if newCount > counterCapacity {
      counterCapacity = newCount * 2
      counters.deallocate()
      counters = .allocate(capacity: counterCapacity)
    }
  }

  /// The scratch memory of a column.
  @inline(__always)
  func scratch(of column: Int) -> UnsafeMutablePointer<UInt8> {
    scratch + column * AttributeConversion.scratchSize
  }

  @inline(__always)
  mutating func set(_ column: Int, _ number: Int64) {
    cells[column] = .integer(number)
    isSet[column] = true
  }

  /// Sets a value, copying its bytes.
  mutating func setCopy(
    _ column: Int, _ kind: BoundValue.Kind, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    if let base = bytes.baseAddress { copy.update(from: base, count: bytes.count) }
    owned.append(copy)
    cells[column] = BoundValue(
      kind: kind, count: Int32(truncatingIfNeeded: bytes.count),
      bits: BoundValue.address(UnsafePointer(copy)))
  }

  /// Copies the values that lie in a batch whose memory is about to be used again.
  mutating func detach(from start: UnsafePointer<UInt8>, count: Int) {
    for column in 0..<columnCount {
      switch cells[column].kind {
      case .null, .integer, .real: continue
      case .text, .blob: break
      }
      guard let bytes = cells[column].bytes, bytes >= start, bytes <= start + count else {
        continue
      }
      setCopy(
        column, cells[column].kind,
        UnsafeBufferPointer(start: bytes, count: Int(cells[column].count)))
    }
  }

  /// Sets a value that was put into the scratch memory of its column.
  mutating func setScratch(_ column: Int, count: Int) {
    cells[column] = .blob(UnsafePointer(scratch(of: column)), count: count)
    scratchColumns.append(column)
  }

  /// Gives away what the object owns.
  mutating func takeOwned() -> [UnsafeMutablePointer<UInt8>] {
    defer { owned.removeAll() }
    return owned
  }

  /// Frees what the object still owns.
  mutating func close() {
    if !owned.isEmpty {
      for bytes in owned { bytes.deallocate() }
      owned.removeAll(keepingCapacity: true)
    }
    if !scratchColumns.isEmpty { scratchColumns.removeAll(keepingCapacity: true) }
    if !text.isEmpty { text.removeAll(keepingCapacity: true) }
    if !structures.isEmpty { structures.removeAll() }
  }
}

/// The values of a Transformable, until all of them are there.
struct CollectedValue {
  /// The attribute's conversion, by number.
  var conversion: Int
  /// Whether they are the items of an array, even when there is one only.
  var isArray = false
  /// Each with its key, if they are the rows of a keyed collection.
  var values: [(key: String?, value: PropertyList)] = []
}
