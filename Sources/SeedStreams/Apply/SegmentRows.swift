internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite

/// Hands the rows of a segment to a merge, section by section.
internal struct SegmentRows {
  /// What a section is not allowed to do.
  internal struct Refusal: Error {
    internal var table: String
    internal var column: String?
  }

  /// What is written.
  internal var tables: [StreamTable]
  /// What the source carries; of this, what is not written is passed over.
  internal var published: [StreamTable]
  internal var merge: RowMerge
  /// Whether the rows are not written, but make way for those that will be.
  internal var onlyMakesWay = false
  /// Told now and then how many rows have come since; may throw to end it.
  internal var onRows: (Int64) throws -> Void

  private static let rowsBetweenReports: Int64 = 4096

  /// Where the rows of a section go.
  private enum Target {
    case nowhere
    case deletion(KeyDeletion)
    case upsert(RowUpsert)
  }

  /// Reads a segment to its end.
  ///
  /// - Parameter reader: The segment, behind its header.
  /// - Returns: The count of its rows.
  /// - Throws: ``SegmentError``, ``Refusal``, ``SeedMerge/MergeError``, ``SeedFiles/FileError``.
  internal func run(_ reader: SegmentReader) throws -> Int64 {
    var target = Target.nowhere
    var selection = RowSelection(positions: nil)
    var unreported: Int64 = 0
    while true {
      switch try reader.next() {
      case .section(let section): (target, selection) = try open(section)
      case .row:
        let row = selection.select(reader.values)
        switch target {
        case .nowhere: break
        case .deletion(let deletion): try deletion.add(row)
        case .upsert(let upsert): try upsert.add(row)
        }
        unreported += 1
        if unreported == Self.rowsBetweenReports {
          try onRows(unreported)
          unreported = 0
        }
      case .end(let rowCount):
        try onRows(unreported)
        return rowCount
      }
    }
  }

  private func open(_ section: SegmentSection) throws -> (Target, RowSelection) {
    let source = published.first { $0.name == section.table }
    guard let table = tables.first(where: { $0.name == section.table }) else {
      // In neither list: somebody reaches for what is not the stream's.
      guard let source else { throw Refusal(table: section.table) }
      for column in section.columns where !source.hasColumn(column) {
        throw Refusal(table: section.table, column: column)
      }
      return (.nowhere, RowSelection(positions: nil))
    }
    var positions: [Int] = []
    var columns: [String] = []
    for (position, column) in section.columns.enumerated() {
      if table.hasColumn(column) {
        positions.append(position)
        columns.append(column)
      } else if source?.hasColumn(column) != true {
        throw Refusal(table: section.table, column: column)
      }
    }
    let needed = section.kind == .delete ? table.key : table.columns.map(\.name)
    for column in needed where !columns.contains(column) {
      throw Refusal(table: section.table, column: column)
    }
    let selection = RowSelection(
      positions: positions.count == section.columns.count ? nil : positions)
    switch section.kind {
    case .delete:
      guard Set(columns) == Set(table.key) else {
        throw SegmentError("the rows to be deleted have more than the key")
      }
      return (.deletion(try merge.deletion(from: table.name, columns: columns)), selection)
    case .upsert where onlyMakesWay:
      return (.deletion(try merge.deletion(from: table.name, columns: columns)), selection)
    case .upsert:
      return (.upsert(try merge.upsert(into: table.name, columns: columns)), selection)
    }
  }
}

extension StreamTable {
  /// Whether the table has a column of a name.
  fileprivate func hasColumn(_ name: String) -> Bool { columns.contains { $0.name == name } }
}

/// Picks from a row the values of the columns that are written.
private final class RowSelection {
  private let positions: [Int]?
  private let selected: UnsafeMutablePointer<BoundValue>

  /// Picks the values at some positions; nil takes the row as it is.
  init(positions: [Int]?) {
    self.positions = positions
    let count = max(positions?.count ?? 0, 1)
    selected = .allocate(capacity: count)
    selected.initialize(repeating: .null, count: count)
  }

  deinit {
    selected.deallocate()
  }

  func select(_ row: UnsafePointer<BoundValue>) -> UnsafePointer<BoundValue> {
    guard let positions else { return row }
    for (index, position) in positions.enumerated() { selected[index] = row[position] }
    return UnsafePointer(selected)
  }
}
