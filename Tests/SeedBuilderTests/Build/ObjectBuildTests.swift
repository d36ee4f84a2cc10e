import SeedInput
import SeedModel
import SeedSQLite
import Testing

@testable import SeedBuilder

/// Builds from documents of objects: JSON and property lists.
@Suite struct ObjectBuildTests {
  /// Batches of one record each, and a plan after the first.
  private static let small = Pacing(batchWordCount: 1, sampleBatchCount: 1)

  private func build(_ text: String, pacing: Pacing = Pacing()) throws -> BuiltDocument {
    try BuiltDocument(text, name: "input.json", pacing: pacing)
  }

  private func types(_ built: BuiltDocument, _ table: String = "input") throws -> [String] {
    try built.texts("SELECT type FROM pragma_table_info('\(table)') ORDER BY cid")
  }

  @Test(arguments: [Pacing(), small])
  func `whole numbers that are written with a fraction are reals`(pacing: Pacing) throws {
    let built = try build(
      #"[{"a": 1, "b": 1, "c": 1.0}, {"a": 2, "b": 2.0, "c": 2.25}]"#, pacing: pacing)
    #expect(try types(built) == ["INTEGER", "INTEGER", "REAL", "REAL"])
    #expect(
      try built.rows("SELECT a, b, c FROM input")
        == [[.integer(1), .real(1), .real(1)], [.integer(2), .real(2), .real(2.25)]])
    #expect(try built.stampedDigest == built.computedDigest)
  }

  @Test func `an id that is written with a fraction is no key`() throws {
    let built = try build(#"[{"id": 1.0}, {"id": 2}]"#)
    #expect(
      try built.schema == [
        "CREATE TABLE input (\n  _id INTEGER PRIMARY KEY,\n  id REAL NOT NULL\n)"
      ])
  }

  @Test(arguments: [Pacing(), small])
  func `a collection has its key in a column`(pacing: Pacing) throws {
    let built = try build(
      #"{"c": {"de": {"n": 1}, "fr": {"n": 2}, "it": {"n": 3, "m": null}}}"#, pacing: pacing)
    #expect(
      try built.rows("SELECT * FROM c") == [
        [.integer(1), .text("de"), .integer(1), .null],
        [.integer(2), .text("fr"), .integer(2), .null],
        [.integer(3), .text("it"), .integer(3), .null],
      ])
  }

  /// Collections whose rows stand inside of each other, and the same in another order.
  static let recursive = [
    (
      [
        #"{"r": {"d": {"s": {"a": {"s": 1}, "c": {"s": 2}, "d": {"s": {"c": {}}}}}}}"#,
        #"{"r": {"d": {"s": {"d": {"s": {"c": {}}}, "c": {"s": 2}, "a": {"s": 1}}}}}"#,
      ], ["s": ["c", "id", "key", "parent_id", "s"]]
    ),
    (
      [
        #"{"s": {"k": {"r": 1}, "b": {"r": {"c": {"s": {"s": {"k": {}}}}}}, "a": {"r": 5}}}"#,
        #"{"s": {"a": {"r": 5}, "b": {"r": {"c": {"s": {"s": {"k": {}}}}}}, "k": {"r": 1}}}"#,
      ], ["s": ["id", "k", "key", "parent_id", "r", "r_id"], "r": ["id", "s_id"]]
    ),
  ]

  @Test(arguments: recursive, [Pacing(), small])
  func `what is a collection does not depend on the order of the document`(
    documents: (texts: [String], tables: [String: [String]]), pacing: Pacing
  ) throws {
    for text in documents.texts {
      let built = try build(text, pacing: pacing)
      let names = try built.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> '_seed'")
      let tables = try names.map {
        ($0, try built.texts("SELECT name FROM pragma_table_info('\($0)') ORDER BY name"))
      }
      #expect(Dictionary(uniqueKeysWithValues: tables) == documents.tables)
    }
  }

  @Test func `the key gives way to a member of its name`() throws {
    let built = try build(
      #"{"c": {"de": {"key": 1}, "fr": {"key": 2}, "it": {"Key": 4, "key": 3}}}"#)
    #expect(
      try built.texts("SELECT name FROM pragma_table_info('c') ORDER BY cid")
        == ["id", "_key", "key", "Key_2"])
  }

  @Test func `the document gives way to records of its name`() throws {
    let built = try build(#"{"version": 2, "input": [{"x": 1}, {"x": 2}]}"#)
    #expect(
      try built.rows("SELECT * FROM input") == [
        [.integer(1), .integer(1)], [.integer(2), .integer(2)],
      ])
    #expect(try built.rows("SELECT version FROM input_2") == [[.integer(2)]])
    #expect(try built.texts("SELECT name FROM _seed") == ["input"])
  }

  @Test(arguments: [Pacing(), small])
  func `a null beside objects leaves no column, however late they come`(pacing: Pacing) throws {
    let rows = (0..<50).map { #"{"a": null, "n": \#($0)}"# } + [#"{"a": {"x": 1}}"#]
    let built = try build("[" + rows.joined(separator: ",") + "]", pacing: pacing)
    #expect(
      try built.texts("SELECT name FROM pragma_table_info('input') ORDER BY cid") == ["id", "n"])
    #expect(try built.rows("SELECT input_id, x FROM a") == [[.integer(51), .integer(1)]])
  }

  @Test func `empty arrays and nulls make tables and columns without values`() throws {
    let built = try build(#"[{"a": null, "b": [], "": "x"}]"#)
    #expect(try built.rows("SELECT a, \"\" FROM input") == [[.null, .text("x")]])
    #expect(try built.rows("SELECT count(*) FROM b") == [[.integer(0)]])
  }

  @Test func `an error in a line is told with the line`() throws {
    let lines = Array(repeating: #"{"a": 1}"#, count: 5_000).joined(separator: "\n") + "\n{]"
    let error = #expect(throws: InputError.self) {
      try BuiltDocument(lines, name: "input.ndjson")
    }
    #expect(error?.location.line == 5_001)
    #expect(error?.location.column == 2)
  }

  // MARK: Binary data

  private func list(_ values: [String]) -> String {
    let rows = values.map { "<dict><key>v</key>\($0)</dict>" }
    return "<plist><array>\(rows.joined(separator: "\n"))</array></plist>"
  }

  private func buildList(_ values: [String], pacing: Pacing = Pacing()) throws -> BuiltDocument {
    try BuiltDocument(list(values), name: "input.plist", pacing: pacing)
  }

  @Test(arguments: [Pacing(), small])
  func `data is a blob`(pacing: Pacing) throws {
    let built = try buildList(
      ["<data>AAEC/w==</data>", "<data></data>", "<data>MTIz</data>"], pacing: pacing)
    #expect(try types(built) == ["INTEGER", "BLOB"])
    #expect(
      try built.rows("SELECT v FROM input")
        == [[.blob([0, 1, 2, 0xFF])], [.blob([])], [.blob([0x31, 0x32, 0x33])]])
    #expect(try built.stampedDigest == built.computedDigest)
    #expect(try built.schema.contains { $0.contains("v BLOB NOT NULL") })
  }

  @Test(arguments: [Pacing(), small])
  func `data beside text stays Base64, whichever comes first`(pacing: Pacing) throws {
    let values = ["<data>AQ==</data>", "<data>MTIz</data>", "<string>7</string>"]
    for order in [values, values.reversed()] {
      let built = try buildList(order, pacing: pacing)
      #expect(try types(built) == ["INTEGER", "TEXT"])
      #expect(try Set(built.texts("SELECT v FROM input")) == ["AQ==", "MTIz", "7"])
    }
  }

  @Test func `data in one place and text in another share a column of text`() throws {
    let built = try BuiltDocument(
      """
      <plist><dict><key>a</key><dict><key>x</key><array><dict><key>v</key><data>AQ==</data></dict>
      </array><key>w</key><true/></dict><key>b</key><dict><key>w</key><true/><key>x</key><array><dict>
      <key>v</key><string>s</string></dict></array></dict></dict></plist>
      """, name: "input.plist")
    #expect(try built.rows("SELECT v FROM x") == [[.text("AQ==")], [.text("s")]])
  }

  @Test func `data in two places share a column of blobs`() throws {
    let inner = "<key>x</key><array><dict><key>v</key><data>AQ==</data></dict></array>"
    let built = try BuiltDocument(
      """
      <plist><dict><key>a</key><dict><key>w</key><true/>\(inner)</dict>
      <key>b</key><dict><key>w</key><true/>\(inner)</dict></dict></plist>
      """, name: "input.plist")
    #expect(try built.rows("SELECT v FROM x") == [[.blob([1])], [.blob([1])]])
  }

  @Test func `blobs larger than a batch are kept whole`() throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let text = [UInt8](unsafeUninitializedCapacity: Base64.encodedCount(bytes.count)) {
      buffer, count in
      bytes.withUnsafeBufferPointer { source in
        if let base = buffer.baseAddress { Base64.encode(source, into: base) }
      }
      count = buffer.count
    }
    let built = try buildList(
      Array(repeating: "<data>\(String(decoding: text, as: UTF8.self))</data>", count: 3))
    #expect(try built.rows("SELECT DISTINCT v FROM input") == [[.blob(bytes)]])
  }
}
