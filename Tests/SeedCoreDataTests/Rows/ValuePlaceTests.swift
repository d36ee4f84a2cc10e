import SeedBuilder
import SeedModel
import Testing

@testable import SeedCoreData

/// The lines and columns of what does not fit into a model, in documents of one line.
///
/// "¶" stands before the place that the error must name, and is taken out.
@Suite struct ValuePlaceTests {
  private let model = """
    <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
    <attribute name="year" attributeType="Integer 16"/>
    <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="year"/></uniquenessConstraint></uniquenessConstraints></entity>
    <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
    """

  private func expect(
    _ text: String, named name: String, references: [ReferenceRule] = []
  ) throws {
    let parts = text.split(separator: "¶", omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let place = "\(name):\(lines.count):\((lines.last?.unicodeScalars.count ?? 0) + 1): "
    let said = try FilledStore.failure([(name, parts.joined())], model: model) {
      $0.mapping.references = references
    }
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.contains(place) == true, "expected \(place), found \(said)")
  }

  @Test(arguments: [
    ("b.json", #"{"Book":[{"title":"seven","year":1},{"title":"seven","year":"¶seven"}]}"#),
    ("Book.ndjson", #"{"title":"x","year":1}"# + "\n" + #"{"title":"seven","year":"¶seven"}"#),
    ("Book.csv", "title,year\nseven,1\n\"seven\",\"¶seven\"\n"),
    ("b.xml", "<L><Book title='seven' year='1'/><Book title='seven' year='¶seven'/></L>"),
    (
      "b.xml",
      "<L><Book><title>seven</title><year>1</year></Book><Book><title>seven</title>"
        + "<year>¶seven</year></Book></L>"
    ),
    (
      "Book.plist",
      "<plist version='1.0'><array><dict><key>title</key><string>seven</string><key>year</key>"
        + "<string>¶seven</string></dict></array></plist>"
    ),
  ])
  func `a value that does not fit is named where it stands`(name: String, text: String) throws {
    try expect(text, named: name)
  }

  @Test(arguments: [
    ("b.json", #"{"Book":[{"title":"x","year":1},¶{"title":"y"},{"year":2,"title":"z"}]}"#),
    ("b.xml", "<L><Book title='x' year='1'/>¶<Book title='y'/><Book year='2'/></L>"),
    ("Book.csv", "title,year\nx,1\n¶y,\n"),
  ])
  func `an object without a value is named where it starts`(name: String, text: String) throws {
    try expect(text, named: name)
  }

  @Test(arguments: [
    ("b.json", #"{"Book":[{"year":1,"title":"A","author":"¶A"}],"Author":[{"name":"B"}]}"#),
    ("b.xml", "<L><Author name='B'/><Book year='1' title='A' author='¶A'/></L>"),
  ])
  func `a natural key that stands for nothing is named where it stands`(
    name: String, text: String
  ) throws {
    try expect(
      text, named: name,
      references: [ReferenceRule(("Book", "author"), from: "author", to: ("Author", "name"))])
  }

  @Test func `a value that must be there only once is named where it stands again`() throws {
    try expect(
      #"{"Book":[{"title":"x","year":7},{"title":"y","year":¶7}]}"#, named: "b.json")
  }

  @Test(arguments: [
    ("input.json", "{\"author\": [], \"zebra\": [{\"a\": 1}]}", "input.json:1:26: "),
    ("input.xml", "<R><Zebra><a>5</a></Zebra></R>", "input.xml:1:4: "),
    ("input.xml", "<R><Zebra a=\"5\"/></R>", "input.xml:1:4: "),
  ])
  func `a record of no entity is reported where it starts`(
    name: String, text: String, place: String
  ) throws {
    let faults = try FilledStore.failure(
      [(name, text)],
      model: "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\"/></entity>")
    #expect(
      faults.first?.hasPrefix("\(place)the model has no entity for the records ") == true,
      "\(faults)")
  }

  @Test(arguments: [
    ("input.json", "[{\"x\": 1, \"a\": \"\"}]", "input.json:1:17: "),
    ("input.xml", "<R><E><a></a></E></R>", "input.xml:1:7: "),
    ("input.xml", "<R><E a=\"\"/></R>", "input.xml:1:10: "),
  ])
  func `an empty text is reported where it stands`(
    name: String, text: String, place: String
  ) throws {
    let rule = RecordRule(name.hasSuffix("json") ? "*" : "R/E", entity: "E")
    let faults = try FilledStore.failure(
      [(name, text)],
      model: "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\" "
        + "minValueString=\"2\"/><attribute name=\"x\" optional=\"YES\" "
        + "attributeType=\"String\"/></entity>",
      records: [name: [rule]])
    #expect(faults.first?.hasPrefix("\(place)the value is shorter than") == true, "\(faults)")
  }
}
