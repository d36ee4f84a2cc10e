import SeedModel
import Testing

@testable import SeedInput

@Suite struct XMLReaderEncodingTests {
  static let text = "<r><a x='é ß'>ÿ</a></r>"
  static let outline = #"<r><a x="é ß">"ÿ"</a></r>"#

  @Test(arguments: ["UTF-8", "utf-8", "ISO-8859-1", "windows-1252", "UTF-16LE", "UTF-16BE"])
  func `a declared encoding is read`(name: String) throws {
    let bytes = Encoded.bytes("<?xml version='1.0' encoding='\(name)'?>" + Self.text, name)
    for pieceSize in [1, 3, .max] {
      #expect(try ReadDocument(bytes: bytes, pieceSize: pieceSize).outline == Self.outline)
    }
  }

  // "日本" and "テスト表", whose last character ends with a byte that is "\" in ASCII in Shift_JIS.
  static let japanese: [(name: String, value: [UInt8], text: [UInt8])] = [
    (
      "Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x95, 0x5C]
    ),
    ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], [0xA5, 0xC6, 0xA5, 0xB9, 0xA5, 0xC8, 0xC9, 0xBD]),
  ]

  @Test(arguments: japanese)
  func `characters of several bytes may be cut anywhere`(
    name: String, value: [UInt8], text: [UInt8]
  ) throws {
    let declaration = "<?xml version='1.0' encoding='\(name)'?><r><a x='"
    let bytes = Array(declaration.utf8) + value + "'>".utf8 + text + "</a></r>".utf8
    for pieceSize in [1, 2, 3, 5, .max] {
      #expect(
        try ReadDocument(bytes: bytes, pieceSize: pieceSize).outline
          == #"<r><a x="日本">"テスト表"</a></r>"#)
    }
  }

  static let marks: [(name: String, mark: [UInt8])] = [
    ("UTF-8", [0xEF, 0xBB, 0xBF]), ("UTF-16LE", [0xFF, 0xFE]), ("UTF-16BE", [0xFE, 0xFF]),
    ("UTF-32LE", [0xFF, 0xFE, 0, 0]), ("UTF-32BE", [0, 0, 0xFE, 0xFF]),
  ]

  @Test(arguments: marks)
  func `a mark tells the encoding, whatever the declaration says`(
    name: String, mark: [UInt8]
  ) throws {
    for declaration in ["", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='ISO-8859-1'?>"]
    {
      let bytes = mark + Encoded.bytes(declaration + Self.text, name)
      #expect(try ReadDocument(bytes: bytes).outline == Self.outline)
    }
  }

  @Test(arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
  func `wide characters are told by the first of them`(name: String) throws {
    for declaration in ["", "<?xml version='1.0' encoding='UTF-16'?>"] {
      #expect(
        try ReadDocument(bytes: Encoded.bytes(declaration + Self.text, name)).outline
          == Self.outline)
    }
  }

  @Test(arguments: [("UTF-16LE", [0xFF, 0xFE]), ("UTF-16BE", [0xFE, 0xFF]), ("UTF-16BE", [])])
  func `UTF-16 by name leaves the order of the bytes to the document`(
    name: String, mark: [UInt8]
  ) throws {
    let bytes = mark + Encoded.bytes(Self.text, name)
    #expect(try ReadDocument(bytes: bytes, encoding: "utf-16").outline == Self.outline)
  }

  @Test func `a named encoding outranks the declaration`() throws {
    let text = "<?xml version='1.0' encoding='UTF-16'?>" + Self.text
    let bytes = Encoded.bytes(text, "ISO-8859-1")
    #expect(try ReadDocument(bytes: bytes, encoding: "ISO-8859-1").outline == Self.outline)
  }

  @Test func `EBCDIC is read in the code page that it names`() throws {
    // <?xml version="1.0" encoding="IBM037"?><r a="é["/>
    let declaration: [UInt8] = [
      0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99, 0xA2, 0x89, 0x96, 0x95, 0x7E, 0x7F,
      0xF1,
      0x4B, 0xF0, 0x7F, 0x40, 0x85, 0x95, 0x83, 0x96, 0x84, 0x89, 0x95, 0x87, 0x7E, 0x7F, 0xC9,
      0xC2,
      0xD4, 0xF0, 0xF3, 0xF7, 0x7F, 0x6F, 0x6E,
    ]
    let root: [UInt8] = [0x4C, 0x99, 0x40, 0x81, 0x7E, 0x7F, 0x51, 0xBA, 0x7F, 0x61, 0x6E]
    #expect(try ReadDocument(bytes: declaration + root).outline == #"<r a="é["/>"#)
  }

  private func expectError(
    _ bytes: some Sequence<UInt8>, _ reason: InputError.Reason, line: Int, column: Int,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let bytes = Array(bytes)
    for pieceSize in [1, .max] {
      let error = try ReadDocument.error(bytes: bytes, pieceSize: pieceSize)
      #expect(error?.reason == reason, sourceLocation: sourceLocation)
      #expect(
        error?.location == .init(file: "test.xml", line: line, column: column),
        sourceLocation: sourceLocation)
    }
  }

  @Test func `a byte that is not UTF-8 is named`() throws {
    try expectError(
      Encoded.bytes("<r>\n<a>caf\u{e9}</a></r>", "ISO-8859-1"),
      .undecodable(encoding: "UTF-8", byte: 0xE9), line: 2, column: 7)
    try expectError(
      Array("<r><a x='é ".utf8) + [0xFF] + "'/></r>".utf8,
      .undecodable(encoding: "UTF-8", byte: 0xFF), line: 1, column: 12)
    try expectError(
      Array("<r><".utf8) + [0xE9] + "/></r>".utf8,
      .undecodable(encoding: "UTF-8", byte: 0xE9), line: 1, column: 5)
  }

  @Test(arguments: [
    [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE6, 0x97],
  ])
  func `bytes that only look like UTF-8 are refused`(bytes: [UInt8]) throws {
    for (before, after) in [
      ("<r><a>", "</a></r>"), ("<r><a x='", "'/></r>"), ("<r><!-- ", " --></r>"),
    ] {
      let error = try ReadDocument.error(bytes: Array(before.utf8) + bytes + after.utf8)
      #expect(error?.reason == .undecodable(encoding: "UTF-8", byte: bytes[0]))
      #expect(error?.location.column == before.utf8.count + 1)
    }
  }

  @Test func `a byte that is wrong in a declared encoding is named`() throws {
    try expectError(
      "<?xml version='1.0' encoding='US-ASCII'?>\n<r a='é'/>".utf8,
      .undecodable(encoding: "US-ASCII", byte: 0xC3), line: 2, column: 7)
    let japanese = Array("<?xml version='1.0' encoding='EUC-JP'?>\n<r>".utf8) + [0xC6, 0xFC]
    try expectError(
      japanese + [0xFF] + "</r>".utf8, .undecodable(encoding: "EUC-JP", byte: 0xFF), line: 2,
      column: 5)
  }

  @Test func `a document cut inside a character is told from a wrong one`() throws {
    let bytes = Encoded.bytes("<r>\n</r", "UTF-16LE")
    try expectError(bytes + [0x3E], .cutCharacter(encoding: "UTF-16LE"), line: 2, column: 4)
    try expectError(
      Encoded.bytes("<r a='", "UTF-16LE") + [0x00, 0xD8] + Encoded.bytes("x'/>", "UTF-16LE"),
      .undecodable(encoding: "UTF-16LE", byte: nil), line: 1, column: 7)
  }

  @Test(arguments: ["klingon", "ISO-8859-1//IGNORE", "UTF-8//TRANSLIT", "HTML", "UTF 8"])
  func `an encoding that is not known is shown in the declaration`(name: String) throws {
    try expectError(
      "<?xml version='1.0'\n encoding=\"\(name)\"?><r a='1'/>".utf8, .unknownEncoding(name),
      line: 2,
      column: 12)
    #expect(!XMLReader.knowsEncoding(name))
  }

  @Test func `a declaration that the bytes contradict is refused`() throws {
    try expectError(
      "<?xml version='1.0' encoding='UTF-16'?><r/>".utf8, .wrongEncoding(declared: "UTF-16"),
      line: 1, column: 31)
  }

  @Test(arguments: ["UTF-8", "utf8", "iso-8859-15", "windows-1252", "UTF-16", "Shift_JIS"])
  func `usual encodings are known`(name: String) {
    #expect(XMLReader.knowsEncoding(name))
  }

  @Test(arguments: ["<r>\n<a>x\0y</a></r>", "<r>\n<a>x\0", "<r>\n<!--\0--></r>", "<r/>\n<!--\0"])
  func `a NUL is refused where it stands`(text: String) throws {
    let line = text.split(separator: "\n")[1]
    let column = line.prefix { $0 != "\0" }.count + 1
    try expectError(text.utf8, .nulByte, line: 2, column: column)
  }
}
