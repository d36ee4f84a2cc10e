import SeedSQLite
import Testing

@testable import SeedBuilder

/// Random edits of a database: the difference names exactly the rows that were edited.
@Suite struct RandomEditTests {
  /// Splitmix64: the same numbers on every machine.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  /// What a table has: the value of each key, as SQL writes both.
  private typealias Rows = [String: String]

  private static let values = [
    "NULL", "0", "1", "1.0", "-1", "'1'", "''", "'a'", "'A'", "x''", "x'61'", "1e300",
    "'long ' || 1",
    "9223372036854775807", "zeroblob(200)", "printf('%.*c', 300, 'z')",
  ]

  /// Tables of every kind of key, with a way to write the key of a number.
  private static let tables: [(definition: String, key: @Sendable (Int) -> String)] = [
    ("t(k INTEGER PRIMARY KEY, v)", { "\($0 - 20)" }),
    ("t(k TEXT PRIMARY KEY, v)", { "'\(["é", "a", "B", "\u{1F600}"][$0 % 4])\($0)'" }),
    (
      "t(k TEXT COLLATE NOCASE PRIMARY KEY DESC, v) WITHOUT ROWID",
      { "'\($0.isMultiple(of: 2) ? "k" : "K")\($0)'" }
    ),
    (
      "t(k PRIMARY KEY, v) WITHOUT ROWID",
      { ["\($0)", "\($0).5", "'\($0)'", "x'\($0 + 10)'"][$0 % 4] }
    ),
    ("t(v, k INT, PRIMARY KEY(k))", { "\($0 * 3)" }),
  ]

  private func insert(_ rows: Rows, _ numbers: inout Numbers) -> String {
    rows.sorted { $0.key < $1.key }.shuffled(using: &numbers).map {
      "INSERT INTO t(k, v) VALUES (\($0.key), \($0.value));"
    }.joined()
  }

  @Test(arguments: 0..<40)
  func `exactly the edited rows are named`(seed: Int) throws {
    var numbers = Numbers(state: UInt64(seed))
    let table = Self.tables[seed % Self.tables.count]
    var old: Rows = [:]
    for key in 0..<40 where Bool.random(using: &numbers) {
      old[table.key(key)] = Self.values.randomElement(using: &numbers)
    }
    var new = old
    for key in 0..<40 where Int.random(in: 0..<4, using: &numbers) == 0 {
      let value = Self.values.randomElement(using: &numbers)
      new[table.key(key)] = Bool.random(using: &numbers) ? value : nil
    }
    let encodings = ["UTF-8", "UTF-8", "UTF-16le"]
    let pair = try DatabasePair(
      old: "PRAGMA encoding = '\(encodings.randomElement(using: &numbers) ?? "")';"
        + "CREATE TABLE \(table.definition); BEGIN;" + insert(old, &numbers) + "COMMIT",
      new: "PRAGMA encoding = '\(encodings.randomElement(using: &numbers) ?? "")';"
        + "CREATE TABLE \(table.definition); BEGIN;" + insert(new, &numbers) + "COMMIT")
    let rows = try pair.difference(sampleLimit: 100).tables.first
    let keys = { (fields: [TableDifference.Field]) in fields.first?.value ?? .null }
    #expect(
      try Set(rows?.added.map { keys($0.key) } ?? [])
        == stored(Set(new.keys).subtracting(old.keys), table.definition))
    #expect(
      try Set(rows?.removed.map { keys($0.key) } ?? [])
        == stored(Set(old.keys).subtracting(new.keys), table.definition))
    #expect(
      try Set(rows?.changed.map { keys($0.key) } ?? [])
        == stored(
          Set(old.filter { new[$0.key] != nil && new[$0.key] != $0.value }.keys), table.definition))
    #expect(
      (rows?.counts ?? [0, 0, 0]) == [
        Int64(rows?.added.count ?? 0), Int64(rows?.removed.count ?? 0),
        Int64(rows?.changed.count ?? 0),
      ])
  }

  @Test(arguments: 0..<20)
  func `without a key exactly the surplus rows are named`(seed: Int) throws {
    var numbers = Numbers(state: UInt64(1_000 + seed))
    func rows() -> [[String]] {
      (0..<30).map { _ in
        // Few values, so that rows repeat and some are equal but for their types.
        (0..<2).map { _ in ["1", "1.0", "NULL", "'1'"].randomElement(using: &numbers) ?? "" }
      }
    }
    let old = rows()
    let new = rows()
    func surplus(_ some: [[String]], over others: [[String]]) -> [[String]: Int] {
      Dictionary(grouping: some, by: \.self).mapValues(\.count).reduce(into: [:]) { result, entry in
        let rest = entry.value - others.count { $0 == entry.key }
        if rest > 0 { result[entry.key] = rest }
      }
    }
    let insert = { (rows: [[String]]) in
      rows.map { "INSERT INTO t VALUES (\($0[0]), \($0[1]));" }.joined()
    }
    let pair = try DatabasePair("CREATE TABLE t(a, b)", old: insert(old), new: insert(new))
    let table = try pair.difference(sampleLimit: 100).tables.first
    func named(_ rows: [TableDifference.Row]) -> [[String]: Int] {
      Dictionary(grouping: rows.map { $0.values.map { literal($0.value) } }, by: \.self)
        .mapValues(\.count)
    }
    #expect(named(table?.added ?? []) == surplus(new, over: old))
    #expect(named(table?.removed ?? []) == surplus(old, over: new))
  }

  private func literal(_ value: DiffValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let excerpt): "'\(excerpt.content)'"
    case .blob: "blob"
    }
  }

  /// The keys as the table stores them, read back by a comparison with an empty table.
  private func stored(_ keys: Set<String>, _ definition: String) throws -> Set<DiffValue> {
    let pair = try DatabasePair(
      "CREATE TABLE \(definition)",
      new: keys.map { "INSERT INTO t(k) VALUES (\($0));" }.joined())
    let added = try pair.difference(sampleLimit: 100).tables.first?.added ?? []
    #expect(added.count == keys.count)
    return Set(added.compactMap { $0.key.first?.value })
  }
}
