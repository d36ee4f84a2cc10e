package import SeedSQLite

/// Digests the rows of tables that come from elsewhere while they are filled, so that they need not be
/// read again for the stamp.
///
/// Used by the filling thread alone, but for what the ``RowHasher`` does.
package final class ContributedRows {
  fileprivate struct Table {
    var name: String
    var affinities: [ColumnAffinity]
    var keyColumn: Int?
    var digest: RowDigest
    var rowCount: Int64 = 0
    var lastID = Int64.min
    /// Whether the rows came in the order of their numbers, and it is sure what SQLite stores.
    var isSound = true
  }

  private let hasher = RowHasher()
  private var tables: [Table] = []

  /// Rows of no table so far.
  package init() {}

  deinit {
    hasher.finish()
    for table in tables { table.digest.deallocate() }
  }

  /// Says that rows of a table follow, which has none so far.
  package func start(_ table: String, types: [String], keyColumn: Int?) {
    var isSound = true
    // Rows from a second source may have anything to do with those of the first.
    for index in tables.indices where tables[index].name == table {
      tables[index].isSound = false
      isSound = false
    }
    tables.append(
      Table(
        name: table,
        affinities: types.map { type in
          switch type {
          case "INTEGER": .number
          case "REAL": .real
          default: .text
          }
        }, keyColumn: keyColumn, digest: RowDigest(hasher: hasher), isSound: isSound))
  }

  /// Takes rows that went in behind the others, a value for each column of each.
  package func take(_ values: UnsafePointer<BoundValue>, rowCount: Int) {
    guard let table = tables.indices.last, tables[table].isSound else { return }
    let columnCount = tables[table].affinities.count
    for row in 0..<rowCount {
      guard tables[table].add(values + row * columnCount) else {
        tables[table].isSound = false
        return
      }
    }
  }

  /// Says that some rows of the table have taken the place of others.
  package func discard() {
    if let table = tables.indices.last { tables[table].isSound = false }
  }

  /// The digests of the tables' rows, by name, as far as they are known; nothing may follow.
  package func finish() -> [String: [UInt8]] {
    hasher.finish()
    return Dictionary(
      tables.filter(\.isSound).map { ($0.name, $0.digest.finalize()) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension ContributedRows.Table {
  /// Adds a row; false when nothing is sure of what is stored.
  mutating func add(_ values: UnsafePointer<BoundValue>) -> Bool {
    let id: Int64
    if let keyColumn {
      guard values[keyColumn].kind == .integer else { return false }
      id = Int64(bitPattern: values[keyColumn].bits)
    } else {
      id = rowCount + 1
    }
    guard rowCount == 0 || id > lastID else { return false }
    lastID = id
    rowCount += 1
    let count = affinities.count
    return affinities.withUnsafeBufferPointer { affinities in
      guard let first = affinities.baseAddress else { return false }
      return digest.add(id: id, values, first, count: count)
    }
  }
}
