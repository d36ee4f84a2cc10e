internal import SeedSQLite
internal import SeedStreams

/// The rows of a table as they were published: those of the snapshot with the changes after it, by
/// key, with the columns of the table as it is now.
///
/// A column that the old table did not have is NULL.
final class OldRows {
  private let base: Statement?
  private let changes: MergedRows?
  private let order: KeyOrder
  private var hasBase = false
  private var hasChange = false
  /// Whether the current row is that of the snapshot.
  private var isBase = false
  /// Whether there is a current row.
  private(set) var hasRow = false

  init(base: Statement?, changes: MergedRows?, order: KeyOrder) {
    self.base = base
    self.changes = changes
    self.order = order
  }

  /// A value of the current row, by the number of the column.
  @inline(__always)
  func cell(_ index: Int) -> StoredCell {
    if isBase, let base { return base.cell(Int32(truncatingIfNeeded: index)) }
    return changes?.cell(index) ?? .null
  }

  /// Goes to the first row.
  func start() throws {
    if let base { hasBase = try base.step() }
    if let changes { hasChange = try changes.next() }
    try settle()
  }

  /// Goes to the next row.
  func advance() throws {
    if isBase {
      hasBase = try base?.step() ?? false
    } else {
      hasChange = try changes?.next() ?? false
    }
    try settle()
  }

  /// Finds the row that is next, and passes over those that are gone.
  private func settle() throws {
    while true {
      guard let changes, hasChange else {
        isBase = true
        hasRow = hasBase
        return
      }
      let order = hasBase ? compare(changes) : 1
      if order < 0 {
        isBase = true
        hasRow = true
        return
      }
      // The snapshot's row is replaced or gone.
      if order == 0 { hasBase = try base?.step() ?? false }
      if changes.upsert != nil {
        isBase = false
        hasRow = true
        return
      }
      hasChange = try changes.next()
    }
  }

  private func compare(_ changes: MergedRows) -> Int {
    guard let base else { return 1 }
    return order.compare({ base.cell(Int32(truncatingIfNeeded: $0)) }, { changes.key.cells[$0] })
  }
}
