import SeedInput
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct LoaderTests {
  /// Loads a document in batches of one record or less, with a plan made from the first of them.
  private func load(
    _ document: String, sampleBatchCount: Int = 2, rejecting: Set<LoadPlanner.RejectedKey> = [],
    late: Set<QualifiedName> = []
  ) throws -> Loader {
    let loader = Loader(
      connection: try Connection.inMemory(), facts: DocumentFacts(rules: .standard),
      rejectedKeys: rejecting, lateKeys: late)
    loader.startDocument(named: "input.xml")
    var observer = FactObserver()
    var held: [TokenBatch] = []
    let channel = HandoffChannel<TokenBatch>(
      depth: 1, mostBytes: .max, byteCount: { $0.byteCount }, make: TokenBatch.init,
      free: { $0.deallocate() })
    func loadHeld() throws {
      while !held.isEmpty {
        try loader.load(held.removeFirst(), hasNewDefinitions: false, returningTo: channel)
      }
    }
    var sampleCount = 0
    try DocumentBatches.read(document, batchWordCount: 1) { batch in
      let hasNew = try loader.define(batch)
      if sampleCount < sampleBatchCount {
        sampleCount += 1
        loader.observe(batch, with: &observer)
        held.append(batch.copy())
        if sampleCount == sampleBatchCount { try loadHeld() }
      } else {
        try loader.load(batch.copy(), hasNewDefinitions: hasNew, returningTo: channel)
      }
      return true
    }
    try loadHeld()
    try loader.drain()
    loader.synchronizeStatistics()
    return loader
  }

  @Test(arguments: [
    ("<r><v a='1'/><v a='2'/><v a='3'/></r>", 3),
    ("<r><v a='1'/><v a='2'/><v a='3' b='x'/></r>", 3),
    ("<r><v a='1'/><v a='2'/><u b='3'/></r>", 3),
    ("<r><v a='1'/><v a='2'/><v a='3'>text</v></r>", 3),
    ("<r><v id='1'><c n='1'/></v><v id='2'><c n='2'/><c n='3'/></v></r>", 5),
  ])
  func `a plan that suits the rest holds`(document: String, rowCount: Int64) throws {
    let loader = try load(document)
    #expect(loader.contradictions == [])
    #expect(loader.rowCount == rowCount)
    #expect(try loader.planHolds())
  }

  private static let idOfV = LoadContradiction.key(
    .init(table: QualifiedName(local: "v"), column: .attribute(QualifiedName(local: "id"))))

  @Test(arguments: [
    ("<r><v a='1'/><v a='2'/><v a='x'/></r>", [LoadContradiction.value]),
    ("<r><v><n>1</n></v><v><n>2</n></v><v><n>1</n><n>2</n></v></r>", [.structure]),
    ("<r><v k='1'> </v><v k='2'/><v k='3'>text</v></r>", [.structure]),
    ("<r><v k='1'/><v k='2'/>text<v k='3'/></r>", [.structure]),
    ("<r><v id='1'/><v id='2'/><v id='1'/></r>", [idOfV]),
    ("<r><v id='1'/><v id='2'/><v/></r>", [idOfV]),
    ("<r><v id='1'/><v id='2'/><v id=''/></r>", [idOfV]),
    (
      "<r><v><id>1</id><c n='1'/></v><v><id>2</id></v><v><c n='2'/><id>3</id></v></r>",
      [.lateKey(QualifiedName(local: "v"))]
    ),
  ])
  func `what does not suit the plan is noticed`(
    document: String, expected: [LoadContradiction]
  ) throws {
    let loader = try load(document)
    #expect(loader.contradictions == expected)
    #expect(try !loader.planHolds())
  }

  @Test func `a wrapper that repeats is noticed, and not the one inside it`() throws {
    let record = "<o k='1'><w><x><i n='1'/><i n='2'/></x></w></o>"
    let loader = try load(
      "<r>\(record)\(record)<o k='1'><w><x><i n='1'/></x></w><w><x><i n='1'/></x></w></o></r>",
      sampleBatchCount: 4)
    #expect(loader.contradictions == [.structure])
    let repeating = loader.facts.places.filter(\.repeats).map(\.name.local)
    #expect(repeating.contains("w"))
    #expect(!repeating.contains("x"))
  }

  @Test func `after a wrong structure the rest of the reading is learnt from`() throws {
    let loader = try load(
      """
      <r><v k='1'/><v k='2'/><v k='3'><n>5</n></v><v k='4'><n>6</n><n>7</n></v>\
      <v k='x' new='1'/><u z='2010-01-16'/></r>
      """)
    #expect(loader.contradictions == [.structure])
    #expect(!loader.structureHolds)
    let plan = LoadPlanner.plan(of: loader.facts)
    #expect(plan.tables.map(\.name.local) == ["v", "n", "u"])
    #expect(
      plan.tables[0].columns.map(\.type) == [.integer, .text, .integer])
    #expect(plan.tables[2].columns.last?.type == .date(.isoDate))
  }

  @Test func `keys are judged by the tables to come only`() throws {
    // The duplicate is found in a table that `a` has no more once its `id` repeats.
    let held = try load("<r><a><id>1</id></a><a><id>1</id></a><a><id>2</id></a></r>")
    #expect(held.structureHolds)
    let changed = try load(
      "<r><p><a><id>1</id></a></p><p><a><id>1</id></a></p><p><a><id>2</id><id>3</id></a></p></r>",
      sampleBatchCount: 3)
    #expect(!changed.structureHolds)
  }

  @Test func `a second reading of another document is refused`() throws {
    let first = try load("<r><v a='1'/><v a='2'/></r>")
    let second = Loader(
      connection: try Connection.inMemory(), facts: first.facts, rejectedKeys: [], lateKeys: [])
    second.startDocument(named: "input.xml")
    #expect {
      try DocumentBatches.read("<r><v b='1'/><v a='2'/></r>", batchWordCount: 1) { batch in
        _ = try second.define(batch)
        return true
      }
    } throws: { error in
      guard let error = error as? InputError, case .changedWhileRead = error.reason else {
        return false
      }
      return error.location.file == "input.xml"
    }
  }
}

extension TokenBatch {
  /// A batch of its own with the same tokens.
  func copy() -> TokenBatch {
    var result = TokenBatch()
    precondition(wordCount <= result.wordCapacity && byteCount <= result.byteCapacity)
    result.words.update(from: words, count: wordCount)
    result.wordCount = wordCount
    result.bytes.update(from: bytes, count: byteCount)
    result.byteCount = byteCount
    result.definitions = definitions
    return result
  }
}

extension LoadPlanner {
  /// The plan that facts make when nothing is known of keys.
  fileprivate static func plan(of facts: DocumentFacts) -> LoadPlan {
    var planner = LoadPlanner(facts: facts, rejectedKeys: [], lateKeys: [])
    return planner.makePlan()
  }
}
