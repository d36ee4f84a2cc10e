import SeedModel
import Testing

@testable import SeedInput

@Suite struct PropertyListDocumentTests {
  private func read(_ text: String) throws -> PropertyList {
    try PropertyListDocument.read(
      Array("<plist version=\"1.0\">\(text)</plist>".utf8), name: "t.plist")
  }

  private func reason(_ bytes: [UInt8]) -> InputError.Reason? {
    #expect(throws: InputError.self) {
      try PropertyListDocument.read(bytes, name: "t.plist")
    }?.reason
  }

  @Test(arguments: [
    ("<true/>", PropertyList.boolean(true)), ("<false/>", .boolean(false)),
    ("<integer>-12</integer>", .integer(-12)), ("<integer>0xff</integer>", .integer(255)),
    ("<real>1.5</real>", .real(1.5)), ("<string>a &amp; ä</string>", .string("a & ä")),
    ("<data>\n\tAQID\n</data>", .data([1, 2, 3])), ("<data/>", .data([])),
    ("<date>2001-01-01T00:00:10Z</date>", .date(10)),
    ("<date>1970-01-01T00:00:00Z</date>", .date(-978_307_200)),
    ("<date>2024-02-29T12:00:00Z</date>", .date(730_900_800)),
    ("<array><true/><array/></array>", .array([.boolean(true), .array([])])),
    ("<dict><key>a</key><dict/></dict>", .dictionary(["a": .dictionary([:])])),
  ])
  func `a value in XML is what its element says`(text: String, value: PropertyList) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    "", "<true/><true/>", "<dict><true/></dict>", "<dict><key>a</key></dict>",
    "<dict><key>a</key><key>b</key><true/></dict>", "<integer>1.5</integer>",
    "<data>A</data>", "<date>2023-02-29T12:00:00Z</date>", "<date>today</date>",
    "<string><true/></string>", "<number>1</number>", "<array>text</array>",
    "<dict><key>a</key><true/><key>a</key><true/></dict>",
  ])
  func `a value in XML that is none is an error with a line`(text: String) {
    let error = #expect(throws: InputError.self) { try read(text) }
    #expect(error?.location.line == 1)
  }

  @Test func `what is written in binary is read again`() throws {
    let list = PropertyList.dictionary([
      "numbers": .array([
        .integer(0), .integer(-1), .integer(.max), .integer(.min), .integer(300), .real(-0.5),
        .date(1e9), .identifier(70_000), .boolean(false),
      ]),
      "texts": .array([
        .string(""), .string("ä😀"), .string(String(repeating: "x", count: 1_000)),
      ]),
      "data": .data((0..<300).map { UInt8(truncatingIfNeeded: $0) }),
      "many": .array((0..<400).map { .string("\($0)") }),
      "nested": .dictionary(["a": .array([.dictionary([:])])]),
    ])
    #expect(try PropertyListDocument.read(list.binary, name: "t.plist") == list)
  }

  @Test func `damaged bytes are an error, wherever they are`() throws {
    let whole = PropertyList.dictionary([
      "a": .array([.integer(1), .string("b")]), "c": .data([1, 2, 3]), "d": .string("ä"),
    ]).binary
    for count in 8..<whole.count {
      #expect(throws: InputError.self) {
        try PropertyListDocument.read(Array(whole.prefix(count)), name: "t.plist")
      }
    }
    for index in whole.indices {
      for value in [0x00, 0x7F, 0xDF, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        // Another value, or an error: never a crash.
        do {
          _ = try PropertyListDocument.read(bytes, name: "t.plist")
        } catch is InputError {}
      }
    }
  }

  @Test func `an object inside itself is an error`() {
    // An array whose only element is object 0, the array.
    let bytes =
      Array("bplist00".utf8) + [0xA1, 0x00, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(reason(bytes) != nil)
  }

  @Test func `shared objects cannot expand without bound`() {
    // Arrays of two references to the next one, forty deep.
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for index in 0..<40 {
      offsets.append(UInt8(bytes.count))
      bytes += index == 39 ? [0x09] : [0xA2, UInt8(index + 1), UInt8(index + 1)]
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 40]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    #expect(reason(bytes) != nil)
  }

  @Test func `neither form is an error`() {
    #expect(reason([]) == .emptyFile)
    #expect(reason(Array("{ a = b; }".utf8)) != nil)
    #expect(reason(Array("<html/>".utf8)) != nil)
  }
}
