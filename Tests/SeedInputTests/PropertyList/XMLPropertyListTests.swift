import Foundation
import SeedModel
import Testing

@testable import SeedInput

@Suite struct XMLPropertyListTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private func document(_ body: String) -> String {
    XMLPropertyListTests.head + body + "\n</plist>\n"
  }

  private func read(_ body: String, pieceSize: Int = .max) throws -> ReadObjects {
    try ReadObjects(document(body), format: .plist, pieceSize: pieceSize)
  }

  /// The value that an element has as a token.
  private func value(_ element: String) throws -> String? {
    let read = try read("<dict><key>v</key>\(element)</dict>")
    guard read.events.count == 3, case .field("v", let value) = read.events[1] else { return nil }
    return value
  }

  @Test(arguments: [
    ("<string>two  words\n</string>", "two  words\n"), ("<string/>", ""),
    ("<string>a &amp; <![CDATA[<b>]]></string>", "a & <b>"),
    ("<true/>", "true"), ("<false></false>", "false"),
    ("<integer>12</integer>", "12"), ("<integer> -7\n</integer>", "-7"),
    ("<integer>+7</integer>", "7"), ("<integer>-0</integer>", "0"),
    ("<integer>007</integer>", "7"), ("<integer>0x1F</integer>", "31"),
    ("<integer>-0xff</integer>", "-255"),
    ("<integer>18446744073709551615</integer>", "18446744073709551615"),
    ("<real>1.50</real>", "1.5"), ("<real>1</real>", "1"), ("<real>+.5</real>", "0.5"),
    ("<real>5.</real>", "5"), ("<real>007.5</real>", "7.5"), ("<real>-1E3</real>", "-1000"),
    ("<real>nan</real>", "nan"), ("<real>+infinity</real>", "inf"),
    ("<real>-Infinity</real>", "-inf"), ("<real>-0.0</real>", "0"),
    ("<date>2010-01-16T10:00:00Z</date>", "2010-01-16T10:00:00Z"),
    ("<date>\n2010-01-16T10:00:00.25Z </date>", "2010-01-16T10:00:00.25Z"),
    ("<data>\n\tAQID\n\tBA==\n</data>", "AQIDBA=="), ("<data></data>", ""),
  ])
  func `a value is what its element says`(element: String, meaning: String) throws {
    #expect(try value(element) == meaning)
  }

  @Test func `dictionaries and arrays are what they are in JSON`() throws {
    let read = try read(
      """
      <dict>
        <key>a</key> <array><integer>1</integer><dict/></array>
        <key>n</key>
        <!-- a comment -->
        <string>x</string>
        <key>d</key><dict><key/><real>1</real></dict>
      </dict>
      """)
    #expect(read.outline == #"<r><a text="1"/><a/> n="x"<d ="1"/></r>"#)
    #expect(read.lines == [4, 5, 5, 9])
    #expect(
      read.structure == [
        "r", "r/a", "[r/a]", "r/a@text", "r@n", "r/d", "r/d@", "r/d@ real",
      ])
  }

  @Test func `data and other values under one key are said to be mixed`() throws {
    let rows = ["<data>AQ==</data>", "<string>x</string>", "<data>Ag==</data>"]
      .map { "<dict><key>v</key>\($0)</dict>" }
    let read = try read("<array>\(rows.joined())</array>")
    #expect(
      read.structure == ["r", "r/r", "[r/r]", "r/r@v", "r/r@v data", "r/r@v mixed"])
    let reversed = try self.read("<array>\(rows.reversed().joined())</array>")
    #expect(reversed.structure == read.structure)
    let late = try self.read("<array>\(rows[1])\(rows[0])</array>")
    #expect(late.structure.last == "r/r@v mixed")
  }

  @Test func `collections are found`() throws {
    let row = "<dict><key>x</key><integer>1</integer></dict>"
    let read = try read("<dict><key>a</key>\(row)<key>b</key>\(row)<key>c</key>\(row)</dict>")
    #expect(read.outline == #"<r><r key="a" x="1"/><r key="b" x="1"/><r key="c" x="1"/></r>"#)
    #expect(read.readingCount == 2)
  }

  @Test func `it is recognised in any XML`() throws {
    let text = document("<dict><key>v</key><true/></dict>")
    #expect(try ReadObjects(text, format: .xml).outline == #"<r v="true"/>"#)
  }

  @Test(arguments: [1, 3, 61])
  func `pieces of every size give the same`(pieceSize: Int) throws {
    let long = String(repeating: "0123456789 é &lt; ", count: 8_000)
    let body =
      "<array><dict><key>é</key><string>\(long)</string><key>d</key>"
      + "<data>AQID BAUG</data></dict><string>x</string></array>"
    let whole = try read(body)
    #expect(whole.events.count == 9)
    #expect(try read(body, pieceSize: pieceSize).events == whole.events)
  }

  @Test func `what Foundation writes is read`() throws {
    let value: [String: Any] = [
      "rows": (0..<200).map {
        ["id": $0, "name": "row <\($0)> é", "on": $0 % 2 == 0, "d": Data([UInt8($0)])]
          as [String: Any]
      }
    ]
    let xml = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
    let binary = try PropertyListSerialization.data(
      fromPropertyList: value, format: .binary, options: 0)
    // The order of the keys may differ.
    let sorted = try [xml, binary].map {
      try ReadObjects(bytes: $0, format: .plist).events.map(\.description)
        .filter { !$0.hasPrefix("start") }.sorted()
    }
    #expect(sorted[0] == sorted[1])
    #expect(sorted[0].count == 1 + 200 * 5)
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("<dict><string>x</string></dict>", "the element \"string\" stands where a key is expected", 6),
    ("<dict><key>a</key></dict>", "the last key of the dictionary has no value", 6),
    (
      "<dict><key>a</key><key>b</key></dict>",
      "a key stands where the value of the one before is expected", 6
    ),
    ("<array><key>a</key></array>", "a key stands outside of a dictionary", 6),
    (
      "<dict><key>a</key><true/>\n<key>a</key><true/></dict>",
      "the dictionary has the key \"a\" already", 7
    ),
    ("<array><text/></array>", "the element \"text\" is none of a property list", 6),
    ("<array>x</array>", "text stands outside of a value", 6),
    ("<array><string>x<b/></string></array>", "the element \"b\" is none of a property list", 6),
    ("<array><string>x<true/></string></array>", "the element \"true\" stands inside a value", 6),
    ("<array/><array/>", "the property list has a second value", 6),
    (
      "<string>x</string>",
      "a property list to build from is a dictionary or an array, not \"string\"", 6
    ),
    ("", "the property list has no value", 7),
    ("<array><integer>1.5</integer></array>", "\"1.5\" is no value of integer", 6),
    ("<array><integer/></array>", "\"\" is no value of integer", 6),
    ("<array><integer>0x</integer></array>", "\"0x\" is no value of integer", 6),
    ("<array><integer>0x-1</integer></array>", "\"0x-1\" is no value of integer", 6),
    ("<array><real>1,5</real></array>", "\"1,5\" is no value of real", 6),
    ("<array><real>.</real></array>", "\".\" is no value of real", 6),
    ("<array><real>1e</real></array>", "\"1e\" is no value of real", 6),
    ("<array><true>x</true></array>", "\"x\" is no value of true", 6),
    ("<array><date>16.01.2010</date></array>", "\"16.01.2010\" is no value of date", 6),
    (
      "<array><date>2010-01-16T10:00:00</date></array>",
      "\"2010-01-16T10:00:00\" is no value of date", 6
    ),
    ("<array><data>AQI</data></array>", "the data is not written in Base64", 6),
    ("<array><data>AQ==AQ==</data></array>", "the data is not written in Base64", 6),
    ("<array><data>AR==</data></array>", "the data is not written in Base64", 6),
    ("<array><data>é</data></array>", "the data is not written in Base64", 6),
  ])
  func `a mistake is called by its name, in its line`(
    body: String, message: String, line: Int
  ) throws {
    let text = document("\n\n" + body)
    let error = try #require(try ReadObjects.error(text, format: .plist))
    #expect("\(error)" == message)
    #expect(error.location.line == line)
    #expect(error.location.column > 0)
  }

  @Test(arguments: ["{ a = 1; }", "\"key\" = \"value\";", "/* x */ \"a\" = \"b\";", "(1, 2)"])
  func `a list in the old style is refused with what to do`(text: String) throws {
    let wide = Encoded.bytes("\u{FEFF}" + text, "utf-16le")
    for bytes in [Array(text.utf8), wide] {
      let error = try #require(try ReadObjects.error(bytes: bytes, format: .plist))
      #expect(
        "\(error)"
          == "this is no property list in XML or binary, but may be one in the old style")
      #expect(error.hint == "convert it with \"plutil -convert xml1\"")
    }
  }

  @Test func `other XML is no property list`() throws {
    let error = try #require(try ReadObjects.error("<a>\n<b/></a>", format: .plist))
    #expect("\(error)" == "the root element is \"a\", where a property list has \"plist\"")
    #expect(error.location == SeedModel.SourceLocation(file: "test.plist", line: 1, column: 1))
    #expect(try ReadObjects.error("", format: .plist)?.reason == .emptyFile)
  }

  @Test func `a list cut anywhere is an error`() throws {
    let bytes = Array(document("<dict><key>a</key><array><data>AQ==</data></array></dict>").utf8)
    for count in 0..<(bytes.count - 2) {
      #expect(
        try ReadObjects.error(bytes: bytes[..<count], format: .plist) != nil, "cut at \(count)")
    }
  }
}
