import SeedBuilder
import SeedModel
import TestSupport
import Testing

@testable import SeedCoreData

/// A build with a broken model says where it is broken, and leaves what was built before as it was.
@Suite struct BrokenModelBuildTests {
  static let whole = Array(ModelText.contents(LibraryModel.body).utf8)

  /// Builds a store of a sound model, then of a broken one in its place.
  private func expectRefusal(of contents: [UInt8], line: Int? = nil) throws {
    let directory = try TemporaryDirectory()
    let model = try directory.write(ModelText.contents("<entity name=\"A\"/>"), to: "contents")
    let options = BuildOptions(inputs: [], output: directory.path("output.sqlite"))
    func build() throws {
      _ = try Build.run(options) { try StoreBuild($0, StoreOptions(model: model)) }
    }
    try build()
    let before = try directory.bytes(of: "output.sqlite")
    try directory.write(contents, to: "contents")
    let error = #expect(throws: BuildError.self) { try build() }
    #expect(error?.reason == .input)
    let first = try #require(error?.diagnostics.first)
    #expect(!first.message.isEmpty)
    let found = try #require(first.location?.line)
    #expect(found > 0)
    if let line { #expect(found == line, "\(first.message)") }
    #expect(try directory.bytes(of: "output.sqlite") == before)
    #expect(try directory.names.sorted() == ["contents", "output.sqlite"])
  }

  @Test(arguments: Array(stride(from: 1, to: whole.count - 1, by: 50)))
  func `a model that is cut is refused at a line`(byteCount: Int) throws {
    try expectRefusal(of: Array(Self.whole.prefix(byteCount)))
  }

  /// A model, as its lines between `<model …>` and `</model>`, with the line that is wrong.
  struct Broken: Sendable, CustomTestStringConvertible {
    var what: String
    var body: String
    var line: Int
    var testDescription: String { what }
  }

  private static let one = "<entity name=\"A\">\n<relationship name=\"b\" destinationEntity=\"B\" "

  @Test(arguments: [
    Broken(
      what: "an inverse that is not there",
      body: one + "inverseName=\"x\" inverseEntity=\"B\"/></entity>\n<entity name=\"B\"/>", line: 3),
    Broken(what: "an unknown destination", body: one + "/>\n</entity>", line: 3),
    Broken(
      what: "parents in a circle",
      body: "<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"A\"/>",
      line: 2),
    Broken(what: "an unknown parent", body: "<entity name=\"A\" parentEntity=\"B\"/>", line: 2),
    Broken(what: "an entity twice", body: "<entity name=\"A\"/>\n<entity name=\"A\"/>", line: 3),
    Broken(
      what: "two entities of one table", body: "<entity name=\"Ab\"/>\n<entity name=\"AB\"/>",
      line: 3),
    Broken(
      what: "a property twice",
      body: "<entity name=\"A\"><attribute name=\"a\" attributeType=\"String\"/>\n"
        + "<attribute name=\"a\" attributeType=\"String\"/></entity>", line: 3),
    Broken(
      what: "an unknown type",
      body: "<entity name=\"A\">\n<attribute name=\"a\" attributeType=\"Number\"/></entity>",
      line: 3),
    Broken(
      what: "a reserved name",
      body:
        "<entity name=\"A\">\n<attribute name=\"description\" attributeType=\"String\"/></entity>",
      line: 3),
    Broken(what: "an unknown element", body: "<entity name=\"A\"/>\n<entty name=\"B\"/>", line: 3),
    Broken(what: "no entity", body: "", line: 1),
  ])
  func `a model that contradicts itself is refused at the line`(broken: Broken) throws {
    try expectRefusal(of: Array(ModelText.contents(broken.body).utf8), line: broken.line)
  }

  /// XML that is made to do harm.
  private static let hostile: [(what: String, bytes: [UInt8])] = [
    (
      "entities that grow",
      Array(
        ("<!DOCTYPE model [<!ENTITY a \"aaaaaaaaaa\">"
          + (1...9).map {
            "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 == 1 ? "" : "\($0 - 1)");", count: 10))\">"
          }
          .joined() + "]>\n<model><entity name=\"&a9;\"/></model>").utf8)
    ),
    (
      "an entity of another file",
      Array(
        "<!DOCTYPE model [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>\n<model>&x;</model>".utf8)
    ),
    (
      "elements without an end",
      Array((ModelText.start + String(repeating: "<entity name=\"A\">", count: 5_000)).utf8)
    ),
    ("a NUL", Array((ModelText.start + "<entity name=\"A\0B\"/>\n</model>").utf8)),
    ("bytes that are no UTF-8", Array(ModelText.start.utf8) + [0xFF, 0xFE, 0x3C]),
    ("another root", Array("<plist/>\n".utf8)),
    ("JSON", Array("{\"model\": []}\n".utf8)),
    (
      "a long name",
      Array(
        ModelText.contents(
          "<entity name=\"\(String(repeating: "a", count: 100_000)) b\"/>"
        ).utf8)
    ),
  ]

  @Test(arguments: hostile.map(\.what))
  func `hostile XML is refused at a line`(what: String) throws {
    let bytes = try #require(Self.hostile.first { $0.what == what }).bytes
    try expectRefusal(of: bytes)
  }
}
