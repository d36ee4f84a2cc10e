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
  private var cellCapacity: Int
  /// For each wrapper directly below the record, whether there was one already.
  private(set) var marks: UnsafeMutablePointer<Bool>
  private var markCapacity: Int
  /// Values that outlive their batch, or were put together from several runs of text.
  private var owned: [UnsafeMutablePointer<UInt8>] = []

  /// Whether there is memory to free with ``close()``.
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
    reserve(columnCount: columnCount, markCount: markCount)
    self.table = table
    self.place = place
    self.line = line
    self.ordinal = ordinal
    key = nil
    byteCount = 0
    for index in 0..<columnCount { cells[index].bytes = nil }
    for index in 0..<markCount { marks[index] = false }
  }

  /// Makes room for columns and marks that the plan has got meanwhile.
  mutating func reserve(columnCount: Int, markCount: Int) {
    if columnCount > cellCapacity {
      let larger = UnsafeMutablePointer<Cell>.allocate(capacity: columnCount * 2)
      larger.initialize(repeating: Cell(), count: columnCount * 2)
      larger.update(from: cells, count: cellCapacity)
      cells.deallocate()
      cells = larger
      cellCapacity = columnCount * 2
    }
    if markCount > markCapacity {
      let larger = UnsafeMutablePointer<Bool>.allocate(capacity: markCount * 2)
      larger.initialize(repeating: false, count: markCount * 2)
      larger.update(from: marks, count: markCapacity)
      marks.deallocate()
      marks = larger
      markCapacity = markCount * 2
    }
  }

  /// Frees what the record owned.
  ///
  /// - Precondition: No statement has its values bound any more.
  mutating func close() {
    for bytes in owned { bytes.deallocate() }
    owned.removeAll(keepingCapacity: true)
  }

  /// Joins another run of text to a cell that has one.
  mutating func appendText(_ bytes: UnsafePointer<UInt8>, count: Int, to column: Int) {
    let old = cells[column]
    let joined = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, old.count + count))
    if let oldBytes = old.bytes { joined.update(from: oldBytes, count: old.count) }
    (joined + old.count).update(from: bytes, count: count)
    if let index = owned.firstIndex(where: { UnsafePointer($0) == old.bytes }) {
      owned[index].deallocate()
      owned[index] = joined
    } else {
      owned.append(joined)
    }
    cells[column] = Cell(bytes: UnsafePointer(joined), count: old.count + count)
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
