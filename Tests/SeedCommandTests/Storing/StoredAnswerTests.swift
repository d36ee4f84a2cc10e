import SeedBuilder
import SeedModel
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// What `store(into:)` makes of an answer, beside what a build makes of the same bytes.
@Suite struct StoredAnswerTests {
  /// All that a database holds but the stamp: the schema's statements and the rows of every table.
  private static func content(_ path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    let objects = try connection.rows(
      """
      SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_seed%' ESCAPE '\\'
      ORDER BY name
      """)
    var lines: [String] = []
    for object in objects {
      guard case .text(let name) = object[1], case .text(let sql) = object[2] else { continue }
      lines.append(sql)
      guard object[0] == .text("table") else { continue }
      lines += try connection.rows("SELECT * FROM \(SQLiteName.quoted(name)) ORDER BY rowid")
        .map { "\(name): \($0)" }
    }
    return lines
  }

  /// The same with the columns of each table by their names.
  private static func sortedContent(_ path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    let tables = try connection.rows(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE '\\_seed%' ESCAPE '\\' ORDER BY name
      """)
    var lines: [String] = []
    for case .text(let table) in tables.map({ $0[0] }) {
      let columns = try connection.rows(
        "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY name",
        .text(table))
      let names = columns.compactMap { column in
        if case .text(let name) = column[0] { SQLiteName.quoted(name) } else { nil }
      }
      let details = [
        columns,
        try connection.rows(
          #"SELECT "from", "table", "to" FROM pragma_foreign_key_list(?1) ORDER BY 1, 2"#,
          .text(table)),
        try connection.rows(
          "SELECT name, \"unique\" FROM pragma_index_list(?1) ORDER BY name", .text(table)),
        try connection.rows(
          "SELECT \(names.joined(separator: ",")) FROM \(SQLiteName.quoted(table)) "
            + "ORDER BY rowid"),
      ]
      lines += details.joined().map { "\(table): \($0)" }
    }
    return lines
  }

  /// Builds and stores the same document and compares.
  private func compare(
    _ text: String, envelope: Bool = false, isSorted: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let directory = try TemporaryDirectory()
    var input = BuildInput(.file(try directory.write(text, to: "answer.json")))
    if envelope { input.envelope = EnvelopeRule(success: "success", message: "message") }
    _ = try Build.run(BuildOptions(inputs: [input], output: directory.path("built.sqlite")))
    let answer = JSONAnswer(
      value: NoResponse(), document: try LocatedJSON(answer: Array(text.utf8)),
      envelope: envelope ? .standard : nil, name: "answer.json", url: "")
    try answer.store(into: directory.path("stored.sqlite"))
    let content = isSorted ? Self.sortedContent : Self.content
    let (built, stored) = (
      try content(directory.path("built.sqlite")), try content(directory.path("stored.sqlite"))
    )
    #expect(stored == built, "\(text)", sourceLocation: sourceLocation)
  }

  private typealias SourceLocation = Testing.SourceLocation

  @Test(arguments: [
    #"{"notes":[{"id":7,"title":"a","date":"16.01.2010","tags":["x","y"]},{"id":9,"title":"b"}]}"#,
    #"[{"a":1,"b":null},{"a":2.5,"b":"x"},{"a":3,"c":{}}]"#, #"[[1,2],[3,[4]],[]]"#, #"[]"#, #"{}"#,
    #"[1,null,"x"]"#, #"{"version":2,"events":[{"at":"2010-01-16T10:00:00+0100"}]}"#,
    #"{"rooms":{"hall":{"size":1},"attic":{"size":2},"tower":{"size":3}}}"#,
    #"{"rooms":{"hall":{"size":1,"key":"k"},"attic":{"size":2},"tower":{"size":3,"key":"l"}}}"#,
    #"{"rooms":{"hall":{"size":1},"attic":{"size":2},"tower":{"other":3}}}"#,
    #"{"node":{"id":1,"node":{"id":2,"node":{"id":3}}}}"#,
    #"{"bill":{"address":[{"a":1}]},"ship":{"address":[{"a":2}]}}"#,
    #"{"a":{"b":{"c":[{"d":1}]}}}"#, #"[{"id":1},{"id":1}]"#, #"[{"id":1},{"ID":2}]"#,
    #"[{"id":1,"ID":5},{"id":2,"ID":6}]"#, #"[{"id":"x"},{"id":"y"}]"#, #"[{"id":null},{"id":2}]"#,
    #"[{"d":"05/03/2010"},{"d":"06/04/2011"}]"#, #"[{"d":"05/03/2010"},{"d":"13/04/2011"}]"#,
    #"[{"d":"2010-01-16 10:00"},{"d":"2010-01-17 10:00:01.5Z"}]"#, #"[{"d":"1.2.2010 7:00"}]"#,
    #"[{"d":"1.2.2010 07:00"},{"d":"13.12.2010 08:01:02"}]"#, #"[{"d":"29.02.2011"}]"#,
    #"[{"n":"007"},{"n":"8"}]"#, #"[{"n":1.50},{"n":15e-1},{"n":2.0}]"#, #"[{"n":2.0}]"#,
    #"[{"n":18446744073709551615}]"#, #"[{"n":1e400}]"#, #"[{"n":0.1},{"n":-0.0},{"n":1e22}]"#,
    #"[{"n":"1.10"},{"n":"1.1"}]"#, #"[{"n":"12.0"},{"n":"1.25"}]"#, #"[{"n":"12.0"},{"n":"12"}]"#,
    #"[{"n":123456789012345678.5}]"#, #"[{"n":"-0"}]"#, #"[{"n":-0}]"#, #"[{"n":".5"}]"#,
    #"[{"b":true},{"b":"false"}]"#, #"[{"b":"YES"},{"b":"NO"}]"#, #"[{"b":"NO"}]"#, #"[{"b":""}]"#,
    #"[{"b":"  "},{"b":"1"}]"#, #"[{"b":""},{"b":"1"}]"#, #"[{"b":null}]"#,
    #"[{"a":null},{"a":{"x":1}}]"#, #"[{"a":{"x":1}},{"a":null}]"#,
    #"[{"a":null},{"a":{"x":1}},{"a":5}]"#,
    #"[{"a":{}},{"a":{}}]"#, #"[{"a":{}},{"a":5}]"#, #"[{"sqlite_a":1,"select":2,"a\"b":3}]"#,
    #"{"sqlite_x":[{"_seed":1}],"_seed":[1]}"#, #"{"Item":[1],"item":[2]}"#,
    #"{"answer":[{"answer":{"x":1}}]}"#, #"{"é":[{"é":1}]}"#,
    #"{"a":[{"id":3,"b":[{"id":4}]},{"id":5,"b":[{"id":6}]}],"b":[{"id":9}]}"#,
  ])
  func `a document gives the tables that a build makes of it`(text: String) throws {
    try compare(text)
  }

  @Test(arguments: [
    #"{"success":true,"data":{"notes":[{"id":7,"tags":["x"]}],"stat":{"count":2}},"message":""}"#,
    #"{"success":true,"data":[{"id":7},{"id":8}],"message":""}"#,
    #"{"success":true,"data":{"count":1,"notes":[{"a":1}]},"message":""}"#,
    #"{"success":true,"data":{"notes":[{"a":1}]},"message":""}"#,
    #"{"success":true,"data":{"a":{"x":[1],"y":[2]},"b":[{"c":{"d":[1],"e":[{"f":1}]}}]}}"#,
    // Records of one name, of which some stand in what is left out.
    #"{"success":true,"data":{"items":[],"a":{"items":{"n":1,"m":2}},"name":"x"}}"#,
    #"{"success":true,"data":{"a":{"k":{"n":1,"m":2},"l":{}},"k":{"n":3},"name":"x"}}"#,
    // What is left out has had a name.
    #"{"success":true,"data":{"a":{"k":{"A":{"x":1,"y":2},"z":[]},"l":{"x":1}}}}"#,
    // What is left out stands in several records, of which not all have these inside.
    #"""
    {"success":true,"data":{"b":{"n":1,"items":{"k":{"x":1},"l":{"x":2}}},
    "c":{"n":1,"items":{"m":{"y":1},"o":{"y":1}}}}}
    """#,
  ])
  func `an answer in an envelope gives the tables of a source with one`(text: String) throws {
    try compare(text, envelope: true)
  }

  @Test func `a record in what is left out refers to the record around it`() throws {
    let text = #"{"success":true,"data":{"items":[{"n":1}],"a":{"items":{"n":2}},"name":"x"}}"#
    let directory = try TemporaryDirectory()
    var input = BuildInput(.file(try directory.write(text, to: "answer.json")))
    input.envelope = EnvelopeRule(success: "success", message: "message")
    _ = try Build.run(BuildOptions(inputs: [input], output: directory.path("built.sqlite")))
    let built = try Connection(path: directory.path("built.sqlite"), mode: .readOnly)
    #expect(
      try built.rows("SELECT n, data_id FROM items ORDER BY n") == [
        [.integer(1), .integer(1)], [.integer(2), .integer(1)],
      ])
    #expect(try built.rows("SELECT name FROM sqlite_schema WHERE name = 'a'").isEmpty)
  }

  @Test(arguments: 0..<300)
  func `random documents give the tables that a build makes of them`(seed: Int) throws {
    var documents = RandomJSON(seed: UInt64(seed))
    try compare(documents.document())
  }

  @Test(arguments: 0..<200)
  func `random answers in an envelope give the tables of a source with one`(seed: Int) throws {
    var documents = RandomJSON(seed: UInt64(seed + 100_000))
    let data = documents.document()
    // Where records stand at several depths of what is left out, a reference to the record around
    // them may be another column of the table than in a build.
    try compare(
      #"{"success":true,"data":\#(data),"message":""}"#, envelope: true, isSorted: true)
  }
}

/// Documents of objects and arrays whose names and values clash in every way.
private struct RandomJSON: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private static let names = [
    "id", "ID", "a", "b", "name", "text", "key", "items", "item", "node", "answer", "A",
    "parent_id",
  ]
  private static let values: [[String]] = [
    ["1", "2", "30", "-4", "0"], ["1.5", "2.25", "3e2", "0.1", "7"], ["true", "false"],
    [#""2010-01-16""#, #""2011-02-28""#], [#""16.01.2010""#, #""1.2.2011""#, #""02.03.2012""#],
    [#""05/03/2010""#, #""12/11/2011""#, #""13/01/2012""#], [#""YES""#, #""NO""#],
    [#""2010-01-16T10:00""#, #""2010-01-16T10:00:00.25+01:00""#], [#""x""#, #""""#, #"" ""#],
    [#""007""#, "7"], ["18446744073709551615", "1"], [#""1.10""#, #""1.1""#, "2"],
  ]

  mutating func document() -> String {
    Int.random(in: 0..<3, using: &self) == 0 ? array(depth: 3) : object(depth: 3)
  }

  private mutating func value(_ name: String, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &self) {
    case 0: return "null"
    case 1...7:
      // Mostly of one kind under one name.
      let isOwn = Int.random(in: 0..<8, using: &self) > 0
      let own = Int(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) } % UInt64(Self.values.count))
      let kind = isOwn ? own : Int.random(in: 0..<Self.values.count, using: &self)
      return Self.values[kind].randomElement(using: &self) ?? "null"
    case 8: return collection(depth: depth - 1)
    case 9: return array(depth: depth - 1)
    default: return object(depth: depth - 1)
    }
  }

  private mutating func object(depth: Int) -> String {
    let names = Self.names.shuffled(using: &self).prefix(Int.random(in: 0...4, using: &self))
    let members = names.map { "\"\($0)\":\(value($0, depth: depth))" }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// An object of objects that are alike, or almost.
  private mutating func collection(depth: Int) -> String {
    let shared = Self.names.shuffled(using: &self).prefix(2)
    let keys = (0..<Int.random(in: 1...4, using: &self)).map { "k\($0)" }
    let rows = keys.map { key -> String in
      let more = Int.random(in: 0..<3, using: &self) == 0 ? ["extra", "more"] : []
      let names = shared.filter { _ in Int.random(in: 0..<10, using: &self) > 0 } + more
      return "\"\(key)\":{"
        + names.map { "\"\($0)\":\(value($0, depth: depth))" }.joined(separator: ",") + "}"
    }
    return "{" + rows.joined(separator: ",") + "}"
  }

  private mutating func array(depth: Int) -> String {
    let isOfObjects = Int.random(in: 0..<3, using: &self) > 0
    let items = (0..<Int.random(in: 0...4, using: &self)).map { _ in
      isOfObjects ? object(depth: depth) : value("items", depth: depth)
    }
    return "[" + items.joined(separator: ",") + "]"
  }
}
