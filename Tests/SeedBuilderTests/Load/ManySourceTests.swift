import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder
@testable import SeedInput

/// Inputs whose records are of kinds that others have had.
@Suite struct ManySourceTests {
  /// Loads documents one after the other, each in one batch.
  private func load(_ documents: [String]) throws -> Loader {
    let loader = Loader(
      connection: try Connection.inMemory(), facts: DocumentFacts(rules: .standard),
      rejectedKeys: [], lateKeys: [])
    let channel = HandoffChannel<TokenBatch>(
      depth: 1, mostBytes: .max, byteCount: { $0.byteCount }, make: TokenBatch.init,
      free: { $0.deallocate() })
    for (number, document) in documents.enumerated() {
      loader.startDocument(named: "\(number).xml")
      var observer = FactObserver()
      try DocumentBatches.read(document, batchWordCount: 1_000) { batch in
        let hasNew = try loader.define(batch)
        if number == 0 { loader.observe(batch, with: &observer) }
        try loader.load(
          batch.copy(), hasNewDefinitions: number > 0 && hasNew, returningTo: channel)
        return true
      }
    }
    try loader.drain()
    loader.synchronizeStatistics()
    return loader
  }

  @Test func `inputs with nothing new need no new plan`() throws {
    let shapes = [
      "<r><v id='1' a='x'><n>1</n></v></r>", "<r><v id='2'><n>2</n></v></r>",
      "<r><v id='3' a='y'/></r>", "<r><v id='4' a='z'><n>3</n></v></r>",
    ]
    let loader = try load(shapes)
    #expect(loader.contradictions == [])
    #expect(loader.planCount == 1)
    #expect(loader.rowCount == 4)
    #expect(try loader.planHolds())
  }

  @Test func `inputs of other records below roots of one name need no new plan`() throws {
    let loader = try load((1...4).map { "<r><v\($0) id='1' a='x'/><v\($0) id='2'/></r>" })
    #expect(loader.contradictions == [])
    #expect(loader.planCount == 1)
    #expect(loader.tableCount == 4)
    #expect(try loader.planHolds())
  }

  @Test(arguments: [
    "<r><v id='2' b='x'/></r>", "<r><v id='2' a='1'/><v id='3'>text</v></r>",
    "<r><v id='2'><n>1</n><n>2</n></v></r>", "<r><v id='2'><v id='3'/></v></r>", "<r k='1'/>",
  ])
  func `an input with something new is planned, and the plan is that of all`(
    other: String
  ) throws {
    let first = "<r><v id='1' a='x'><n>1</n></v></r>"
    let loader = try load([first, other])
    #expect(loader.planCount == 2 || !loader.contradictions.isEmpty)
    let built = try BuiltProject([("a.xml", first), ("b.xml", other)])
    let swapped = try BuiltProject([("b.xml", other), ("a.xml", first)])
    for query in ["SELECT count(*) FROM v", "SELECT count(*) FROM v WHERE id = 1"] {
      #expect(try built.rows(query) == swapped.rows(query))
    }
  }

  @Test func `a value of another type in a later input changes the column`() throws {
    let files = (1...4).map { ("s\($0).xml", "<r><v id='\($0)' a='\($0)'/></r>") }
    #expect(
      try BuiltProject(files).rows("SELECT DISTINCT typeof(a), count(*) FROM v")
        == [[.text("integer"), .integer(4)]])
    let mixed = files + [("s5.xml", "<r><v id='5' a='five'/></r>")]
    #expect(
      try BuiltProject(mixed).rows("SELECT DISTINCT typeof(a), count(*) FROM v")
        == [[.text("text"), .integer(5)]])
  }

  @Test func `rules may lead the records of hundreds of inputs to one table`() throws {
    let files = (1...501).map { ("s\($0).csv", "id,a\n\($0),x\n") }
    let records = Dictionary(
      uniqueKeysWithValues: files.map { ($0.0, [RecordRule("*", table: "t")]) })
    let built = try BuiltProject(files, records: records)
    #expect(
      try built.rows("SELECT count(*), max(id) FROM t") == [[.integer(501), .integer(501)]])
  }

  @Test func `wrappers of many inputs share their marks`() throws {
    let files = (1...3).map {
      ("s\($0).xml", "<r><v id='\($0)'><us><u k='1'/><u k='2'/></us></v><v id='\($0)0'/></r>")
    }
    let built = try BuiltProject(files)
    #expect(try built.rows("SELECT count(*), count(v_id) FROM u") == [[.integer(6), .integer(6)]])
  }
}
