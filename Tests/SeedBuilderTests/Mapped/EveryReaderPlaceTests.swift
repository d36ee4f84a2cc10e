import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// The line and the column of a value that does not fit, whatever reader has read it.
///
/// In the documents, "¶" stands before the place that the error must name, and is taken out.
@Suite struct EveryReaderPlaceTests {
  struct Document: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String

    var testDescription: String { "\(name): \(text.prefix(60))" }

    /// The text to build from, and the place that was marked in it.
    func unmarked() throws -> (text: String, place: String) {
      let parts = text.unicodeScalars.split(separator: "¶", omittingEmptySubsequences: false)
      try #require(parts.count == 2)
      let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
      let column = (lines.last?.count ?? 0) + 1
      return (String(parts[0]) + String(parts[1]), "\(name):\(lines.count):\(column): ")
    }
  }

  private static let schema = """
    CREATE TABLE t(a TEXT, n INTEGER);
    CREATE TABLE u(b TEXT);
    """

  /// The same value stands before in a column that takes it, and in records before.
  static let documents = [
    Document(
      name: "t.json", text: #"[{"a":"x","n":1},{"a":"seven","n":"¶seven"},{"a":"seven","n":3}]"#),
    Document(name: "t.json", text: #"{"u":[{"b":"7x"}],"t":[{"a":"7x","n":"¶7x"}]}"#),
    Document(name: "t.json", text: #"[{"n":1,"a":"1.5"},{"a":"\u0041é","n":¶1.50}]"#),
    Document(
      name: "t.json", text: "[\n  {\"a\": \"seven\",\n   \"n\": \"¶seven\"}\n]"),
    Document(name: "t.json", text: #"[{"a":"x","n":"¶se\u0076en"}]"#),
    Document(
      name: "t.ndjson", text: #"{"a":"seven","n":1}"# + "\n" + #"{"a":"seven","n":"¶seven"}"#),
    Document(name: "t.csv", text: "a,n\n\"seven,\nseven\",1\n\"seven\",\"¶seven\"\nseven,2\n"),
    Document(name: "t.csv", text: "a,n\r\n\"a \"\"seven\"\"\",¶seven\r\n"),
    Document(name: "t.tsv", text: "a\tn\nseven\t¶seven\n"),
    Document(
      name: "r.xml", text: "<r><t a='seven' n='1'/><t a='seven' n='¶seven'/><t a='b' n='2'/></r>"),
    Document(
      name: "r.xml",
      text: "<r><t><a>seven</a><n>1</n></t><t><a>seven</a><n>¶seven</n></t></r>"),
    Document(
      name: "r.xml",
      text: "<r><!-- <t> --><t a='&lt;seven'><n><!-- seven --><![CDATA[¶seven]]></n></t></r>"),
    Document(
      name: "r.xml", text: "<r>\n<t a='seven'\n   n = \"¶se&#118;en\"/><t a='' n='3'/></r>"),
    Document(
      name: "r.xml",
      text: "<!DOCTYPE r [<!ENTITY e '<t n=\"seven\"/>'>]><r><t n='1'/>¶&e;<t n='2'/></r>"),
    Document(
      name: "d.xml",
      text: "<resultset><row><field name=\"a\">seven</field><field name=\"n\">¶seven</field></row>"
        + "</resultset>"),
    Document(
      name: "t.plist",
      text: "<plist version=\"1.0\"><array><dict><key>a</key><string>seven</string><key>n</key>"
        + "<integer>1</integer></dict><dict><key>a</key><string>seven</string><key>n</key>"
        + "<string>¶seven</string></dict></array></plist>"),
  ]

  @Test(arguments: documents)
  func `a value that does not fit is named where it stands`(document: Document) throws {
    let (text, place) = try document.unmarked()
    let said = try BuiltProject.failure(
      [(document.name, text)], schema: Self.schema + "CREATE TABLE d(a TEXT, n INTEGER);")
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.hasPrefix(place) == true, "expected \(place), found \(said)")
  }

  @Test(arguments: [
    Document(name: "t.json", text: #"[{"a":"x","n":1},¶{"a":"y"},{"n":2,"a":"z"}]"#),
    Document(name: "t.ndjson", text: #"{"a":"x","n":1}"# + "\n" + #"¶{"a":"y"}"#),
    Document(name: "t.csv", text: "a,n\nx,1\n¶y,\n"),
    Document(name: "r.xml", text: "<r><t a='x' n='1'/>¶<t a='y'/></r>"),
    Document(
      name: "t.plist",
      text: "<plist version=\"1.0\"><array>¶<dict><key>a</key><string>y</string></dict><dict>"
        + "<key>n</key><integer>1</integer></dict></array></plist>"),
  ])
  func `a record without a value is named where it starts`(document: Document) throws {
    let (text, place) = try document.unmarked()
    let said = try BuiltProject.failure(
      [(document.name, text)], schema: "CREATE TABLE t(a TEXT, n INTEGER NOT NULL);")
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.hasPrefix(place) == true, "expected \(place), found \(said)")
  }

  @Test(arguments: [
    Document(
      name: "t.json",
      text: #"{"u":[{"b":"k"}],"t":[{"a":"k","n":"k"},{"a":"q","n":"¶q"},{"n":"k","a":"q"}]}"#),
    Document(
      name: "r.xml", text: "<r><u b='k'/><t a='k' n='k'/><t a='q' n='¶q'/></r>"),
  ])
  func `a natural key that stands for nothing is named where it stands`(
    document: Document
  ) throws {
    let (text, place) = try document.unmarked()
    let said = try BuiltProject.failure(
      [(document.name, text)],
      schema: """
        CREATE TABLE u(id INTEGER PRIMARY KEY, b TEXT UNIQUE);
        CREATE TABLE t(a TEXT, n INTEGER REFERENCES u(id));
        """
    ) { options in
      options.mapping.references = [
        ReferenceRule(
          table: "t", column: "n", from: Located("n"), targetTable: "u", targetColumn: "b",
          location: nil)
      ]
    }
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.hasPrefix(place) == true, "expected \(place), found \(said)")
  }

  @Test func `a foreign key that the schema checks is named where it stands`() throws {
    let document = Document(
      name: "t.json", text: #"{"u":[{"id":1}],"t":[{"a":"2","n":1},{"a":"2","n":¶2}]}"#)
    let (text, place) = try document.unmarked()
    let said = try BuiltProject.failure(
      [(document.name, text)],
      schema: """
        CREATE TABLE u(id INTEGER PRIMARY KEY);
        CREATE TABLE t(a TEXT, n INTEGER REFERENCES u(id));
        """)
    #expect(said.first?.hasPrefix(place) == true, "expected \(place), found \(said)")
  }

  @Test func `a value far behind on a long line is named where it stands`() throws {
    var json = "["
    for number in 0..<20_000 { json += #"{"a":"seven é","n":\#(number)},"# }
    let document = Document(name: "t.json", text: json + #"{"a":"seven","n":"¶seven"}]"#)
    let (text, place) = try document.unmarked()
    let said = try BuiltProject.failure([(document.name, text)], schema: Self.schema)
    #expect(said.first?.hasPrefix(place) == true, "expected \(place), found \(said)")
  }

  @Test func `errors come in the order of the inputs`() throws {
    let said = try BuiltProject.failure(
      [
        ("t.csv", "a,n\nx,one\ny,2\nz,three\n"),
        ("r.json", #"{"t":[{"n":"four"}],"s":[{"m":"five"}]}"#),
        ("s.csv", "m\nsix\n"),
      ],
      schema: "CREATE TABLE s(m INTEGER); CREATE TABLE t(a TEXT, n INTEGER);")
    #expect(
      said.map { $0.prefix { $0 != " " } } == [
        "t.csv:2:3:", "t.csv:4:3:", "r.json:1:13:", "r.json:1:32:", "s.csv:2:1:",
      ])
  }
}
