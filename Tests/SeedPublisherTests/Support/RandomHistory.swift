import SeedSQLite

/// A database that changes at random, in all the ways that matter to a stream.
struct RandomHistory {
  static let schema = """
    CREATE TABLE item(name TEXT, id INTEGER PRIMARY KEY, price REAL, data BLOB, anything);
    CREATE TABLE tag(name TEXT PRIMARY KEY COLLATE NOCASE, note) WITHOUT ROWID;
    CREATE TABLE pair(v NUMERIC, b TEXT, a INTEGER, PRIMARY KEY(a DESC, b));
    CREATE TABLE slot(id INTEGER PRIMARY KEY, place INTEGER UNIQUE, label TEXT);
    CREATE UNIQUE INDEX slot_label ON slot(lower(label)) WHERE label IS NOT NULL;
    CREATE TABLE code(c NOT NULL UNIQUE, v);
    CREATE TABLE vacant(id INTEGER PRIMARY KEY);
    """

  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(state: seed) }

  mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  /// Some statements that change some rows.
  mutating func change(_ connection: Connection) throws {
    for _ in 0..<1 + number(6) {
      switch number(9) {
      case 0, 1:
        try connection.run(
          "INSERT OR REPLACE INTO item(id, name, price, data, anything) VALUES(?, ?, ?, ?, ?)",
          .integer(Int64(number(30))), text(), real(), blob(), anything())
      case 2: try connection.run("DELETE FROM item WHERE id = ?", .integer(Int64(number(30))))
      case 3:
        // Another case of the same key, or another key.
        let name = ["abc", "ABC", "Abc", "d", "D", "é", "É"][number(7)]
        try connection.run(
          """
          INSERT INTO tag VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET name = excluded.name,
          note = excluded.note
          """, .text(name), anything())
      case 4: try connection.run("DELETE FROM tag WHERE name = ?", .text(["abc", "d"][number(2)]))
      case 5:
        try connection.run(
          "INSERT OR REPLACE INTO pair(a, b, v) VALUES(?, ?, ?)", .integer(Int64(number(4))),
          .text(["x", "y", "\u{0}z", ""][number(4)]), anything())
      case 6: try swap(connection)
      case 7:
        try connection.run(
          "INSERT OR REPLACE INTO code VALUES(?, ?)", anythingButNull(), anything())
        if number(3) == 0 { try connection.run("DELETE FROM code WHERE c = ?", anythingButNull()) }
      default:
        try connection.run("UPDATE item SET anything = ? WHERE id % 5 = 1", anything())
        try connection.run("DELETE FROM pair WHERE a = ?", .integer(Int64(number(4))))
      }
    }
  }

  /// Moves values of UNIQUE indexes between rows: rings, chains and new owners.
  private mutating func swap(_ connection: Connection) throws {
    let shift = 1 + number(5)
    try connection.execute(
      """
      INSERT OR IGNORE INTO slot VALUES(\(number(8)), \(number(8)), 'L\(number(8))');
      CREATE TEMP TABLE moved AS SELECT id, (place + \(shift)) % 8 AS place, label FROM slot;
      DELETE FROM slot WHERE id % 3 <> \(number(3));
      INSERT OR IGNORE INTO slot SELECT * FROM moved;
      UPDATE OR IGNORE slot SET label = NULL WHERE id = \(number(8));
      UPDATE OR IGNORE slot SET label = 'L\(number(8))' WHERE id = \(number(8));
      DROP TABLE moved;
      """)
    if number(4) == 0 { try connection.execute("DELETE FROM slot WHERE id = \(number(8))") }
  }

  private mutating func text() -> SQLiteValue {
    let texts = [
      "", "plain", "a\"b\\c\n", "é😀\u{2028}", "\u{0}nul", String(repeating: "x", count: 300),
    ]
    return number(7) == 0 ? .null : .text(texts[number(texts.count)])
  }

  private mutating func real() -> SQLiteValue {
    let numbers: [Double] = [0, -0.0, 1, 0.1, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude]
    return .real(numbers[number(numbers.count)])
  }

  private mutating func blob() -> SQLiteValue {
    .blob((0..<number(9)).map { UInt8(truncatingIfNeeded: $0 * 37) })
  }

  /// Values that SQLite takes for equal and that are not the same, among others.
  private mutating func anything() -> SQLiteValue {
    number(5) == 0 ? .null : anythingButNull()
  }

  private mutating func anythingButNull() -> SQLiteValue {
    switch number(8) {
    case 0: .integer(.max)
    case 1: .integer(.min)
    case 2: .integer(1)
    case 3: .real(1)
    case 4: .text("1")
    case 5: .blob([0x31])
    case 6: .real(-0.0)
    default: .integer(Int64(number(5)))
    }
  }
}

/// A generator whose numbers follow from its seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
