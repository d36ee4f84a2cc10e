/// A value of a record that is not complete yet, as it stands in the document.
struct Cell {
  /// Nil while the record has no such value.
  var bytes: UnsafePointer<UInt8>?
  var count = 0
}

/// A record between its start and its end.
///
/// The memory of a row that was closed serves the next one at the same depth.
struct OpenRow {
  var table = 0
  var place = 0
  var line: UInt32 = 0
  /// The number of the record among those of its table, in the order of their starts, from 1.
  var ordinal: Int64 = 0
  /// The key, once it is known.
  var key: Int64?
  /// The sum of the cells' bytes, for the bound on a row.
  var byteCount = 0

  private(set) var cells: UnsafeMutablePointer<Cell>
  private var cellCount = 0
  private var cellCapacity: Int
  /// For each wrapper directly below the record, whether there was one already.
  private(set) var marks: UnsafeMutablePointer<Bool>
  private var markCount = 0
  private var markCapacity: Int
  /// Values that outlive their batch, or were put together from several runs of text.
  private var owned: [UnsafeMutablePointer<UInt8>] = []
  /// The text that was put together last, and the bytes that it has room for.
  private var joined: UnsafeMutablePointer<UInt8>?
  private var joinedCapacity = 0

  /// Whether there is memory to free: ``takeOwned()``.
  @inline(__always)
  var ownsBytes: Bool { !owned.isEmpty }

  init() {
    cellCapacity = 16
    markCapacity = 4
    cells = .allocate(capacity: cellCapacity)
    cells.initialize(repeating: Cell(), count: cellCapacity)
    marks = .allocate(capacity: markCapacity)
    marks.initialize(repeating: false, count: markCapacity)
  }

  func deallocate() {
    cells.deallocate()
    marks.deallocate()
    for bytes in owned { bytes.deallocate() }
  }

  /// Starts a record anew.
  @inline(__always)
  mutating func open(
    table: Int, place: Int, line: UInt32, ordinal: Int64, columnCount: Int, markCount: Int
  ) {
    cellCount = 0
    self.markCount = 0
    reserve(columnCount: columnCount, markCount: markCount)
    self.table = table
    self.place = place
    self.line = line
    self.ordinal = ordinal
    key = nil
    byteCount = 0
  }

  /// Makes room for columns and marks that the plan has got meanwhile; the new ones are empty.
  @inline(__always)
  mutating func reserve(columnCount: Int, markCount: Int) {
    if columnCount > cellCapacity { growCells(to: columnCount * 2) }
    // The memory served rows of other tables before.
    for index in cellCount..<max(cellCount, columnCount) { cells[index].bytes = nil }
    cellCount = columnCount
    if markCount > markCapacity { growMarks(to: markCount * 2) }
    for index in self.markCount..<max(self.markCount, markCount) { marks[index] = false }
    self.markCount = markCount
  }

  @inline(never)
  private mutating func growCells(to capacity: Int) {
    let larger = UnsafeMutablePointer<Cell>.allocate(capacity: capacity)
    larger.initialize(repeating: Cell(), count: capacity)
    larger.update(from: cells, count: cellCount)
    cells.deallocate()
    cells = larger
    cellCapacity = capacity
  }

  @inline(never)
  private mutating func growMarks(to capacity: Int) {
    let larger = UnsafeMutablePointer<Bool>.allocate(capacity: capacity)
    larger.initialize(repeating: false, count: capacity)
    larger.update(from: marks, count: markCount)
    marks.deallocate()
    marks = larger
    markCapacity = capacity
  }

  /// Hands over what the record owned, to be freed when its values are in the database.
  mutating func takeOwned() -> [UnsafeMutablePointer<UInt8>] {
    joined = nil
    defer { owned = [] }
    return owned
  }

  /// Joins another run of text to the cell that has the ones before.
  mutating func appendText(_ bytes: UnsafePointer<UInt8>, count: Int, to column: Int) {
    let old = cells[column]
    let newCount = old.count + count
    if let joined, UnsafePointer(joined) == old.bytes, newCount <= joinedCapacity {
      (joined + old.count).update(from: bytes, count: count)
      cells[column].count = newCount
      return
    }
    // Room for half as much again, or many small runs would copy what there is again and again.
    let capacity = newCount + newCount / 2
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, capacity))
    if let oldBytes = old.bytes { larger.update(from: oldBytes, count: old.count) }
    (larger + old.count).update(from: bytes, count: count)
    if let index = owned.firstIndex(where: { UnsafePointer($0) == old.bytes }) {
      owned[index].deallocate()
      owned[index] = larger
    } else {
      owned.append(larger)
    }
    joined = larger
    joinedCapacity = capacity
    cells[column] = Cell(bytes: UnsafePointer(larger), count: newCount)
  }

  /// Copies the cells that lie in a batch whose memory is about to be used again.
  mutating func detach(columnCount: Int, from start: UnsafePointer<UInt8>, count: Int) {
    for index in 0..<columnCount {
      let cell = cells[index]
      guard let bytes = cell.bytes, bytes >= start, bytes <= start + count else { continue }
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, cell.count))
      copy.update(from: bytes, count: cell.count)
      owned.append(copy)
      cells[index].bytes = UnsafePointer(copy)
    }
  }
}
