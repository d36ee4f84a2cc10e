import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Any foreign key of the app's over unique values of the seed, against what is to become of its rows.
@Suite struct RandomActionTests {
  /// Numbers that are the same for the same seed.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private struct Row: Equatable {
    var id: Int
    var code: String
    var number: Int
  }

  /// A schema, two states of the seed's rows and the codes to which the app's rows refer.
  private struct World {
    private static let actions = ["NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"]
    private static let clauses = ["", "", "ON CONFLICT REPLACE", "ON CONFLICT IGNORE"]
    private static let indexes = [
      "", "CREATE UNIQUE INDEX i ON p(number);", "CREATE UNIQUE INDEX i ON p(code || number);",
      "CREATE UNIQUE INDEX i ON p(code) WHERE number > 2;",
    ]
    private static let triggers = """
      CREATE TABLE log(id PRIMARY KEY, code); INSERT INTO log VALUES (1, 0), (2, 0), (3, 0), (4, 0);
      CREATE TRIGGER u AFTER UPDATE ON p
      BEGIN INSERT OR REPLACE INTO log VALUES (new.id, new.code); END;
      CREATE TRIGGER i AFTER INSERT ON p
      BEGIN INSERT OR IGNORE INTO log VALUES (new.id, new.code); END;
      """
    static let fallback = "z"

    let update: String
    let deletion: String
    let schema: String
    let app: String
    let old: [Row]
    let new: [Row]
    let children: [String]

    init(_ seed: UInt64) {
      var numbers = Numbers(state: seed)
      func one(_ texts: [String]) -> String {
        texts[Int.random(in: texts.indices, using: &numbers)]
      }
      func state() -> [Row] {
        let ids = (1...5).filter { _ in Int.random(in: 0..<3, using: &numbers) > 0 }
        let codes = Array("abcdef").shuffled(using: &numbers)
        let values = Array(1...6).shuffled(using: &numbers)
        // What a child gets by default is always there.
        return ids.enumerated().map { Row(id: $1, code: String(codes[$0]), number: values[$0]) }
          + [Row(id: 9, code: Self.fallback, number: 9)]
      }
      (update, deletion) = (one(Self.actions), one(Self.actions))
      schema =
        "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE \(one(Self.clauses)), number INT);"
        + one(Self.indexes)
      (old, new) = (state(), state())
      children = old.map(\.code).filter { _ in Bool.random(using: &numbers) }
      app =
        """
        CREATE TABLE c(id INTEGER PRIMARY KEY, code TEXT DEFAULT '\(Self.fallback)'
          REFERENCES p(code) ON UPDATE \(update) ON DELETE \(deletion));
        """ + children.map { "INSERT INTO c(code) VALUES ('\($0)');" }.joined()
        + (Bool.random(using: &numbers) ? Self.triggers : "")
    }

    func sql(_ rows: [Row]) -> String {
      schema
        + rows.map { "INSERT INTO p VALUES (\($0.id), '\($0.code)', \($0.number));" }.joined()
    }

    /// The app's rows as they are to be once the seed's have changed at once; nil where one of them
    /// then refers to nothing.
    var expected: [String]? {
      var rows: [String] = []
      for (index, code) in children.enumerated() {
        guard let parent = old.first(where: { $0.code == code }) else { continue }
        let isBrought = new.contains { $0.code == code }
        var (action, value) = (deletion, nil as String?)
        if let after = new.first(where: { $0.id == parent.id }) {
          (action, value) = (after.code == code ? "" : update, after.code)
        } else if isBrought {
          (action, value) = ("", code)
        } else if deletion == "CASCADE" {
          continue
        }
        switch action {
        case "SET NULL": value = nil
        case "SET DEFAULT": value = Self.fallback
        case "NO ACTION", "RESTRICT":
          guard isBrought else { return nil }
          value = code
        default: break
        }
        rows.append("\(index + 1) \(value ?? "-")")
      }
      return rows
    }
  }

  @Test func `the app's rows end as if the seed's had changed at once`() throws {
    var refusalCount = 0
    for number in 0..<60 as Range<UInt64> {
      let (world, name): (World, Comment) = (World(number), "seed \(number)")
      let seed = try MergeSeed(world.sql(world.old), owned: [("p", [])])
      try seed.bench.write("PRAGMA foreign_keys = ON;" + world.app)
      try seed.write(world.sql(world.new), owned: [("p", [])], version: "2")
      let rows: [Row]
      if let expected = world.expected {
        try seed.merge()
        #expect(try seed.rows("SELECT * FROM c ORDER BY id") == expected, name)
        rows = world.new
      } else {
        refusalCount += 1
        #expect(try !seed.refusal().isEmpty, name)
        rows = world.old
      }
      #expect(
        try seed.rows("SELECT * FROM p ORDER BY id")
          == rows.map { "\($0.id) \($0.code) \($0.number)" }, name)
      #expect(try seed.rows("PRAGMA foreign_key_check") == [], name)
      #expect(try seed.rows("PRAGMA integrity_check") == ["ok"], name)
    }
    #expect(1..<30 ~= refusalCount)
  }
}
