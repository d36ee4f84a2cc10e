internal import SeedBuilder
internal import SeedSQLite

/// What is noted of a table while its rows go in, so that it need not be read again: their number,
/// and the digest over them.
struct TableTally {
  /// The rows with their digest, as the content digest wants them.
  typealias Rows = (count: Int64, sha256: [UInt8])

  private(set) var rowCount: Int64 = 0
  private var digest: RowDigest
  /// Off when the rows do not come in the order of their keys, or it is not sure what is stored.
  private var isDigested: Bool
  private var lastKey = Int64.min
  private let affinities: UnsafeMutablePointer<ColumnAffinity>
  private let columnCount: Int

  /// - Parameters:
  ///   - affinities: Those of the columns.
  ///   - hasher: Does the hashing; without one, nothing is hashed ahead.
  ///   - isDigested: Whether the digest is wanted.
  init(_ affinities: [ColumnAffinity], hasher: RowHasher?, isDigested: Bool) {
    columnCount = affinities.count
    self.affinities = .allocate(capacity: max(1, columnCount))
    self.affinities.initialize(to: .none)
    for (index, affinity) in affinities.enumerated() { self.affinities[index] = affinity }
    digest = RowDigest(hasher: hasher)
    self.isDigested = isDigested
  }

  func deallocate() {
    affinities.deallocate()
    digest.deallocate()
  }

  /// Notes a row that has a key of its own.
  @inline(__always)
  mutating func add(_ values: UnsafePointer<BoundValue>, key: Int64) {
    rowCount += 1
    guard isDigested else { return }
    isDigested =
      key > lastKey && digest.add(id: key, values, affinities, count: columnCount)
    lastKey = key
  }

  /// Notes a row that SQLite numbers.
  @inline(__always)
  mutating func add(_ values: UnsafePointer<BoundValue>) {
    add(values, key: rowCount + 1)
  }

  /// The rows, if their digest is known.
  ///
  /// - Precondition: The hasher has finished.
  var rows: Rows? { isDigested ? (rowCount, digest.finalize()) : nil }
}

extension StoreColumn.Kind {
  /// What SQLite makes of values, by the type that the column is declared with.
  var affinity: ColumnAffinity {
    switch self {
    case .integer, .time, .decimal: .number
    case .float: .real
    case .text: .text
    case .uuid, .transformable, .binary: .none
    }
  }
}
