import SeedModel
import Testing

@testable import SeedInput

/// What is said of delimited texts that are wrong.
@Suite struct DelimitedErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var message: String
    var line: Int
    var column: Int
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ message: String, _ line: Int, _ column: Int) {
      self.text = text
      self.message = message
      self.line = line
      self.column = column
    }
  }

  static let headers = [
    Case("", "the file is empty", 0, 0),
    Case("\u{FEFF}", "the file is empty", 0, 0),
    Case("\n\r\n\r", "the file has empty lines only", 0, 0),
    Case("a,,c\n", "column 2 has no name in the header", 1, 3),
    Case("é,\"\"\n", "column 2 has no name in the header", 1, 3),
    Case("a,\"b,\",c,\n", "column 4 has no name in the header", 1, 10),
    Case("a,b,a\n", "columns 1 and 3 have the same name \"a\"", 1, 5),
    Case("\nÄ,b,B\n", "columns 2 and 3 have the same name \"B\"", 2, 5),
  ]

  static let ragged = [
    Case(
      "a,b\n1,2\n3\n", "the record of line 3 has 1 field, where the header of line 1 has 2", 3, 2),
    Case(
      "a,b\r\nö,2,3,4\r\n",
      "the record of line 2 has 4 fields, where the header of line 1 has 2", 2, 5),
    Case(
      "\na,b\n\"x\ny\",2,3",
      "the record of line 3 has 3 fields, where the header of line 2 has 2", 4, 6),
    Case(
      "a,b,c\r1,\"x\ry\"\r",
      "the record of line 2 has 2 fields, where the header of line 1 has 3", 3, 3),
    Case("a,b\n1", "the record of line 2 has 1 field, where the header of line 1 has 2", 2, 2),
  ]

  static let quotes = [
    Case("a,b\n1,\"x\n2,3\n", "the quote that opens here is never closed", 2, 3),
    Case("a,b\n\"x\"\"", "the quote that opens here is never closed", 2, 1),
    Case("a,\"b\n", "the quote that opens here is never closed", 1, 3),
    Case(
      "a,b\n1,5\" disk\n", "a quote stands inside of a field that does not begin with one", 2, 4),
    Case("a,b\n1, \"x\"\n", "a quote stands inside of a field that does not begin with one", 2, 4),
    Case("a,b\n\"x\"y,2\n", "text follows the quote that closes the field", 2, 4),
    Case("a,b\n\"l\nb\" ,2\n", "text follows the quote that closes the field", 3, 3),
  ]

  static let characters = [
    Case("a,b\n1,é\0\n", "a NUL byte, which no text may contain", 2, 4),
    Case("a,b\n\"\n\0\n", "a NUL byte, which no text may contain", 3, 1),
  ]

  @Test(arguments: [headers, ragged, quotes, characters].joined())
  func `an error says what is wrong where it begins`(wrong: Case) throws {
    let error = try #require(try ReadTable.error(wrong.text))
    #expect(error.description == wrong.message)
    #expect(error.location == .init(file: "test.csv", line: wrong.line, column: wrong.column))
    #expect(error.hint?.isEmpty == false || wrong.message == "the file is empty")
  }

  @Test(arguments: [headers, ragged, quotes, characters].joined())
  func `an error is the same however the text comes in pieces`(wrong: Case) throws {
    let whole = try ReadTable.errors(bytes: wrong.text.utf8)
    for size in [1, 2, 3, 5] {
      #expect(try ReadTable.errors(bytes: wrong.text.utf8, pieceSize: size) == whole)
    }
  }

  @Test(arguments: [1, 3, 100])
  func `a byte that is not UTF-8 is named at its place`(pieceSize: Int) throws {
    let bytes = Array("a,b\né,".utf8) + [0xFC, 0x0A] + Array("3,4\n".utf8)
    let errors = try ReadTable.errors(bytes: bytes, pieceSize: pieceSize)
    #expect(errors.map(\.reason) == [.delimited(.notUTF8(0xFC))])
    #expect(errors.first?.location == .init(file: "test.csv", line: 2, column: 3))
    #expect(errors.first?.hint?.contains("--encoding") == true)
  }

  @Test(
    arguments: [
      [0x80], [0xC1, 0x81], [0xC3, 0x41], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func `no ill-formed UTF-8 passes`(bytes: [UInt8]) throws {
    for size in [1, 2, 64] {
      let errors = try ReadTable.errors(
        bytes: Array("a\nx".utf8) + bytes + Array("y\n".utf8), pieceSize: size)
      #expect(errors.map(\.reason) == [.delimited(.notUTF8(bytes[0]))])
    }
  }

  @Test(arguments: [1, 2, 64])
  func `a text that ends inside a character is cut`(pieceSize: Int) throws {
    let errors = try ReadTable.errors(
      bytes: Array("a\nx".utf8) + [0xE2, 0x82], pieceSize: pieceSize)
    #expect(errors.map(\.reason) == [.delimited(.cutCharacter)])
    #expect(errors.first?.location.column == 2)
  }

  @Test func `noncharacters are text`() throws {
    #expect(try ReadTable("a\n\u{FFFF}\u{10FFFF}\n").records == [["\u{FFFF}\u{10FFFF}"]])
  }

  @Test func `the first thing that is wrong is told`() throws {
    let bytes = Array("a,b\n1,x\"\n2,".utf8) + [0xFF, 0x0A]
    #expect(
      try ReadTable.errors(bytes: bytes).map(\.reason)
        == [.delimited(.bareQuote(quote: 0x22, cause: .value))])
  }

  @Test func `records with the wrong number of fields are told together`() throws {
    let errors = try ReadTable.errors(bytes: "a,b\n1\n1,2\n1,2,3\n\"x\n".utf8)
    #expect(errors.map(\.location.line) == [2, 4, 5])
    #expect(errors.last?.reason == .delimited(.unclosedQuote(isAtEnd: true)))
  }

  @Test func `no more than twenty errors are told`() throws {
    let text = "a,b\n" + String(repeating: "1\n", count: 100)
    #expect(try ReadTable.errors(bytes: text.utf8).count == 20)
  }

  @Test func `a comment is no record and gets a hint`() throws {
    for text in ["a,b\n# c\n", "# zones\nx\ty\n", "a,b\n# a \"b\"\n"] {
      let layout = DelimitedLayout(delimiter: text.contains("\t") ? 0x09 : nil)
      #expect(try ReadTable.error(text, layout: layout)?.hint?.contains("comments") == true)
    }
  }

  @Test func `an excerpt shows the line around the place`() throws {
    let error = try ReadTable.error("a,b\r1,\"x\"y,2\r3,4\r")
    #expect(error?.excerpt == SourceExcerpt(text: "1,\"x\"y,2", caretOffset: 5))
  }

  @Test func `a line has more columns than SQLite takes`() throws {
    let most = InputLimits.attributesPerElement
    func header(_ count: Int) -> String { (1...count).map { "c\($0)" }.joined(separator: ",") }
    #expect(try ReadTable(header(most)).columns.count == most)
    let error = try ReadTable.error(header(most + 1))
    #expect(error?.reason == .tooMany(what: "columns", limit: InputLimits.columnsPerTable))
    #expect(error?.location.column == header(most).count + 2)
  }

  @Test func `declared names are different and not empty`() throws {
    for names in [["a", "A"], ["a", ""]] {
      let errors = try ReadTable.errors(
        bytes: "1,2\n".utf8, layout: DelimitedLayout(columnNames: names))
      #expect(errors.map(\.location) == [.init(file: "test.csv", line: 1, column: 1)])
    }
  }

  @Test func `a record with more fields than declared names is refused`() throws {
    let error = try ReadTable.error("1,2\n", layout: DelimitedLayout(columnNames: ["a"]))
    #expect(error?.description == "the record of line 1 has 2 fields, where 1 are declared")
  }

  @Test func `a name is only so long`() throws {
    let longest = String(repeating: "n", count: InputLimits.nameBytes)
    #expect(try ReadTable("a,\(longest)").columns.last == longest)
    let error = try ReadTable.error("a,\(longest)n")
    #expect(error?.reason == .tooLong(what: "a name", limit: InputLimits.nameBytes))
    #expect(error?.location.column == 3)
  }

  @Test func `a long record is read and one beyond the bound is refused`() throws {
    let long = String(repeating: "0123456789abcdef", count: 1 << 17)
    #expect(try ReadTable("a,b\n\(long),\"\(long)\"\"\"\n").records == [[long, long + "\""]])
    let longest = String(repeating: long, count: 9)
    let plain = try ReadTable.error("a,b\n\n\(longest),1\n")
    #expect(plain?.reason == .tooLong(what: "a record", limit: InputLimits.rowBytes))
    #expect(plain?.location == .init(file: "test.csv", line: 3, column: 1))
    let quoted = try ReadTable.error("a,b\n1,\"\(longest)\"\n")
    #expect(
      quoted?.location == .init(file: "test.csv", line: 2, column: quoted?.location.column ?? 0))
    let open = try ReadTable.error("a,b\n1,\"\(longest)\(longest)")
    #expect(open?.reason == .delimited(.unclosedQuote(isAtEnd: false)))
    #expect(open?.location == .init(file: "test.csv", line: 2, column: 3))
  }
}
