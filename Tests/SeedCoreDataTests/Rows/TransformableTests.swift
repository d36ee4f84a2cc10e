import SeedBuilder
import SeedInput
import SeedModel
import SeedSQLite
import Testing

@testable import SeedCoreData

/// Transformable attributes: keyed archives.
@Suite struct TransformableTests {
  private func model(_ more: String = "") -> String {
    "<entity name=\"E\"><attribute name=\"a\" optional=\"YES\" attributeType=\"Transformable\" \(more)/></entity>"
  }

  /// What is archived in a store's only value.
  private func archived(_ store: FilledStore) throws -> PropertyList {
    try #require(try allArchived(store).first)
  }

  /// What is archived in the objects, in their order.
  private func allArchived(_ store: FilledStore) throws -> [PropertyList] {
    try store.rows("SELECT ZA FROM ZE ORDER BY Z_PK").map { try archived($0[0]) }
  }

  private func archived(_ value: SQLiteValue) throws -> PropertyList {
    guard case .blob(let bytes) = value else {
      Issue.record("no data")
      return .string("")
    }
    let archive = try PropertyListDocument.read(bytes, name: "archive")
    #expect(archive.dictionary?["$archiver"] == .string("NSKeyedArchiver"))
    #expect(archive.dictionary?["$version"] == .integer(100_000))
    let objects = try #require(archive.dictionary?["$objects"]?.array)
    #expect(objects.first == .string("$null"))
    let root = try #require(archive.dictionary?["$top"]?.dictionary?["root"])
    return try unarchived(root, objects)
  }

  /// Walks an archive by its own rules.
  private func unarchived(_ reference: PropertyList, _ objects: [PropertyList]) throws
    -> PropertyList
  {
    guard case .identifier(let number) = reference else { return reference }
    let object = objects[Int(number)]
    guard let members = object.dictionary else { return object }
    guard case .identifier(let classNumber)? = members["$class"] else { return object }
    let name = objects[Int(classNumber)].dictionary?["$classname"]?.string
    let inside = try (members["NS.objects"]?.array ?? []).map { try unarchived($0, objects) }
    if name == "NSArray" { return .array(inside) }
    #expect(name == "NSDictionary")
    let keys = try (members["NS.keys"]?.array ?? []).map {
      try unarchived($0, objects).string ?? ""
    }
    return .dictionary(Dictionary(uniqueKeysWithValues: zip(keys, inside)))
  }

  @Test(arguments: [
    ("<a>x</a>", PropertyList.string("x")),
    ("<a><k>x</k><k>y</k></a>", .array([.string("x"), .string("y")])),
    ("<a>x</a><a>y</a>", .array([.string("x"), .string("y")])),
    ("<a><k>x</k></a>", .array([.string("x")])),
    ("<a k=\"x\"/>", .dictionary(["k": .string("x")])),
    (
      "<a><k>x</k><l><m>y</m><m>z</m></l></a>",
      .dictionary(["k": .string("x"), "l": .array([.string("y"), .string("z")])])
    ),
  ])
  func `elements are archived as texts, arrays and dictionaries`(
    xml: String, value: PropertyList
  ) throws {
    #expect(try archived(try FilledStore("<R><E>\(xml)</E></R>", model: model())) == value)
  }

  @Test(arguments: [
    ("\"x\"", PropertyList.string("x")), ("[\"x\"]", .array([.string("x")])),
    ("[\"x\", \"y\"]", .array([.string("x"), .string("y")])),
    (
      "{\"k\": \"x\", \"l\": [\"y\"]}",
      .dictionary(["k": .string("x"), "l": .array([.string("y")])])
    ),
    (
      "{\"p\": {\"k\": \"1\"}, \"q\": {\"k\": \"2\"}, \"r\": {\"k\": \"3\"}}",
      .dictionary([
        "p": .dictionary(["k": .string("1")]), "q": .dictionary(["k": .string("2")]),
        "r": .dictionary(["k": .string("3")]),
      ])
    ),
    ("[]", .array([])), ("{}", .dictionary([:])),
    ("[[]]", .array([.array([])])), ("[{}]", .array([.dictionary([:])])),
    ("{\"k\": []}", .dictionary(["k": .array([])])),
    ("{\"k\": {}}", .dictionary(["k": .dictionary([:])])),
    ("{\"k\": {\"m\": \"x\"}}", .dictionary(["k": .dictionary(["m": .string("x")])])),
    (
      "[[\"x\", \"y\"], [\"z\"]]",
      .array([.array([.string("x"), .string("y")]), .array([.string("z")])])
    ),
    ("[{\"text\": \"x\"}]", .array([.dictionary(["text": .string("x")])])),
    ("[{\"item\": [\"x\"]}]", .array([.dictionary(["item": .array([.string("x")])])])),
    (
      "[\"x\", {\"k\": \"y\"}, [\"z\", []]]",
      .array([
        .string("x"), .dictionary(["k": .string("y")]), .array([.string("z"), .array([])]),
      ])
    ),
    (
      "[{\"p\": {\"k\": \"1\"}, \"q\": {\"k\": \"2\"}, \"r\": {\"k\": \"3\"}}]",
      .array([
        .dictionary([
          "p": .dictionary(["k": .string("1")]), "q": .dictionary(["k": .string("2")]),
          "r": .dictionary(["k": .string("3")]),
        ])
      ])
    ),
    ("{\"a\": {\"a\": [\"x\"]}}", .dictionary(["a": .dictionary(["a": .array([.string("x")])])])),
  ])
  func `JSON is archived as it is`(json: String, value: PropertyList) throws {
    let store = try FilledStore([("E.json", "[{\"a\": \(json)}]")], model: model())
    #expect(try archived(store) == value)
  }

  @Test func `a value is what it is, whatever stands in its place in other records`() throws {
    let values = ["[{\"k\": \"x\"}]", "{\"k\": \"x\"}", "[]", "{\"k\": [\"x\"]}", "{}", "\"x\""]
    let x = PropertyList.string("x")
    let expected: [PropertyList] = [
      .array([.dictionary(["k": x])]), .dictionary(["k": x]), .array([]),
      .dictionary(["k": .array([x])]), .dictionary([:]), x,
    ]
    for turn in values.indices {
      let order = Array(values.indices[turn...]) + Array(values.indices[..<turn])
      let records = order.map { "{\"a\": \(values[$0])}" }.joined(separator: ",")
      let store = try FilledStore([("E.json", "[\(records)]")], model: model())
      #expect(try allArchived(store) == order.map { expected[$0] })
    }
  }

  @Test func `an object whose first member is empty is one all the same`() throws {
    let two =
      model() + """
        <entity name="F"><relationship name="e" optional="YES" maxCount="1" destinationEntity="E"/></entity>
        """
    for json in ["[{\"e\": {\"a\": []}}]", "[{\"e\": {\"a\": {}}}]"] {
      let store = try FilledStore([("F.json", json)], model: two)
      #expect(try store.lines("SELECT ZE, Z_PK FROM ZF") == ["1|1"])
      #expect(try allArchived(store).count == 1)
    }
    let root = try FilledStore([("E.json", "{\"a\": []}")], model: model())
    #expect(try allArchived(root) == [.array([])])
  }

  @Test(arguments: ["[null]", "[\"x\", null]", "{\"k\": [null]}", "[[null]]"])
  func `null in an array is refused`(json: String) throws {
    let faults = try FilledStore.failure(
      [("E.json", "[\n{\"a\": \(json)}]")], model: model())
    #expect(!faults.isEmpty)
    for fault in faults {
      // At the array, and not at the record.
      #expect(fault.hasPrefix("E.json:2:") && !fault.hasPrefix("E.json:2:1: "), "\(fault)")
      #expect(fault.contains(": the value has null in an array in attribute a of E"))
      #expect(fault.contains("give the archive in base64"))
    }
  }

  @Test func `a constant with null in an array is refused, and a member that is null is none`()
    throws
  {
    func records(_ value: JSONValue) -> [String: [RecordRule]] {
      ["E.json": [RecordRule("*", entity: "E", columns: [ColumnRule("a", constant: value)])]]
    }
    let object = JSONValue.object([
      JSONValue.Member("k", .string("x")), JSONValue.Member("l", .null),
    ])
    let store = try FilledStore([("E.json", "[{}]")], model: model(), records: records(object))
    #expect(try archived(store) == .dictionary(["k": .string("x")]))
    #expect(
      try FilledStore.failure(
        [("E.json", "[{}]")], model: model(), records: records(.array([.null]))
      ).first?.contains("does not fit into attribute \"a\"") == true)
  }

  @Test func `an empty text in an array is a text`() throws {
    let store = try FilledStore([("E.json", "[{\"a\": [\"\", \"x\"]}]")], model: model())
    #expect(try archived(store) == .array([.string(""), .string("x")]))
  }

  @Test func `numbers become texts with a warning`() throws {
    let store = try FilledStore([("E.json", "[{\"a\": [1, true]}]")], model: model())
    #expect(try archived(store) == .array([.string("1"), .string("true")]))
    #expect(
      store.remarks.map(\.message) == [
        "numbers and truth values in the arrays and dictionaries of a are archived as texts"
      ])
  }

  @Test func `an archive in base64 stays as it is`() throws {
    let archive = KeyedArchive(.string("hello")).bytes
    let store = try FilledStore(
      "<R><E a=\"\(Base64.text(archive))\"/></R>", model: model())
    #expect(try store.rows("SELECT ZA FROM ZE") == [[.blob(archive)]])
  }

  @Test(arguments: [
    (JSONValue.integer(5), "5"), (.number(1.5), "1.5"), (.bool(true), "true"), (.string("x"), "x"),
  ])
  func `a constant is archived as a value of the inputs is`(constant: JSONValue, text: String)
    throws
  {
    let store = try FilledStore(
      [("input.xml", "<R><E/></R>")], model: model(""),
      records: ["input.xml": [RecordRule("R/E", columns: [ColumnRule("a", constant: constant)])]])
    #expect(try archived(store) == .string(text))
  }

  @Test func `objects inside of objects take time by their number`() throws {
    let depth = 200
    let json =
      "[{\"a\":" + String(repeating: "{\"k\":", count: depth) + "1"
      + String(repeating: "}", count: depth) + "}]"
    let store = try FilledStore(
      [("input.json", json)], model: model(""),
      records: ["input.json": [RecordRule("*", entity: "E", columns: [ColumnRule("a")])]])
    var value = try archived(store)
    for _ in 0..<depth { value = try #require(value.dictionary?["k"]) }
    #expect(value == .string("1"))
  }

  @Test func `the data of another transformer is taken, and nothing else`() throws {
    let own = model("valueTransformerName=\"ColorTransformer\"")
    #expect(
      try FilledStore.failure("<R>\n<E a=\"red\"/></R>", model: own) == [
        "input.xml:2:1: the value cannot be turned into what \"ColorTransformer\" writes in attribute "
          + "a of E [give the transformer's data in base64, with \"format\": \"base64\"]"
      ])
    let store = try FilledStore(
      [("input.xml", "<R><E a=\"AQI=\"/></R>")], model: own,
      records: ["input.xml": [RecordRule("R/E", columns: [ColumnRule("a", format: "base64")])]])
    #expect(try store.lines("SELECT ZA FROM ZE") == ["x'0102'"])
  }

  @Test func `a class that is no text, array or dictionary wants its archive`() throws {
    #expect(
      try FilledStore.failure(
        "<R>\n<E a=\"red\"/></R>", model: model("customClassName=\"UIColor\"")
      )
      .first?.contains("cannot be archived as \"UIColor\"") == true)
    #expect(
      try FilledStore.failure(
        "<R>\n<E a=\"red\"/></R>", model: model("customClassName=\"[String]\"")
      )
      .first?.contains("is a string, and \"[String]\" is expected") == true)
  }

  @Test(arguments: ["Transformable", "Binary"])
  func `data that begin like a property list and end too early are refused`(type: String) throws {
    let model =
      "<entity name=\"E\"><attribute name=\"a\" optional=\"YES\" attributeType=\"\(type)\"/></entity>"
    // "bplist00" alone, and with an object but without its frame.
    for data in ["YnBsaXN0MDA=", "YnBsaXN0MDBRYQ=="] {
      let faults = try FilledStore.failure("<R>\n<E a=\"\(data)\"/></R>", model: model)
      #expect(faults.count == 1)
      #expect(
        faults.first?.contains("is data that begin like a binary property list and are none")
          == true,
        "\(faults)")
    }
    let list = "YnBsaXN0MDDRAQJRa1F4CAsNAAAAAAAAAQEAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAA8="
    let store = try FilledStore("<R><E a=\"\(list)\"/></R>", model: model)
    #expect(try store.rows("SELECT length(ZA) FROM ZE") == [[.integer(50)]])
  }
}
