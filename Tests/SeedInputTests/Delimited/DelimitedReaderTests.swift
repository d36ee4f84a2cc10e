import SeedModel
import Testing

@testable import SeedInput

@Suite struct DelimitedReaderTests {
  /// Sizes that cut fields, quotes, line ends and characters everywhere, and one that cuts nothing.
  static let pieceSizes = [1, 2, 3, 7, 17, 4_096, Int.max]

  private func records(
    _ text: String, pieceSize: Int = .max, layout: DelimitedLayout = .init()
  ) throws -> [[String]] {
    try ReadTable(text, pieceSize: pieceSize, layout: layout).records
  }

  @Test func `records stand below a root, both called after the file, in a column each`() throws {
    let read = try ReadTable("id,name\n1,a\n")
    let name = QualifiedName(local: "test")
    #expect(
      read.definitions == [
        .place(name: .document(name.local), parent: nil), .place(name: name, parent: 0),
        .array(place: 1),
        .attribute(name: QualifiedName(local: "id"), place: 1),
        .attribute(name: QualifiedName(local: "name"), place: 1),
      ])
    #expect(read.records == [["1", "a"]])
  }

  @Test(arguments: pieceSizes)
  func `a quoted field may contain delimiters, quotes and line breaks`(pieceSize: Int) throws {
    #expect(
      try records("a,b\n\"1,2\",\"\"\"x\"\" \"\"\"\n\"\r\n\",\"\n\"\n", pieceSize: pieceSize)
        == [["1,2", "\"x\" \""], ["\r\n", "\n"]])
  }

  @Test(arguments: ["\n", "\r\n", "\r"], pieceSizes)
  func `a line ends with LF, CRLF or CR, the last one also without`(
    lineEnd: String, pieceSize: Int
  ) throws {
    for end in ["", lineEnd] {
      let text = ["a,b", "1,2", "3,\"4\"", ",5"].joined(separator: lineEnd) + end
      let read = try ReadTable(text, pieceSize: pieceSize)
      #expect(read.records == [["1", "2"], ["3", "4"], ["", "5"]])
      #expect(read.lines == [2, 3, 4])
    }
  }

  @Test func `an empty field is an empty value, in quotes or not`() throws {
    #expect(try records("a,b,c\n,\"\",\n1,,") == [["", "", ""], ["1", "", ""]])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a record has the line that it begins on`(lineEnd: String) throws {
    let text = ["a,b", "\"x\(lineEnd)y\",\"\(lineEnd)\(lineEnd)\"", "1,2", "", "3,4"]
      .joined(separator: lineEnd)
    #expect(try ReadTable(text).lines == [2, 6, 8])
  }

  @Test func `blanks belong to the fields`() throws {
    #expect(try ReadTable(" a , b\n 1 ,\t2\n").columns == [" a ", " b"])
    #expect(try records(" a , b\n 1 ,\t2\n") == [[" 1 ", "\t2"]])
  }

  @Test func `fields of every length up to forty bytes are kept whole`() throws {
    // Longer and shorter than the words that the scan works in, with and without quotes.
    let values = (0...40).map { String(repeating: "x", count: $0) }
    let lines = values.map { "\($0),\"\($0)\",\"\"\"\($0)\"" }
    #expect(
      try records("a,b,c\n" + lines.joined(separator: "\n"))
        == values.map { [$0, $0, "\"" + $0] })
  }

  @Test func `empty lines between records of several columns are passed over`() throws {
    let read = try ReadTable("\n\na,b\n\n1,2\n\r\n\n3,4\n\n")
    #expect(read.records == [["1", "2"], ["3", "4"]])
    #expect(read.lines == [5, 8])
  }

  @Test(arguments: pieceSizes)
  func `empty lines of a single column are values, save at the end`(pieceSize: Int) throws {
    let read = try ReadTable("a\n1\n\n\r\n2\n\"\"\n\n\n", pieceSize: pieceSize)
    #expect(read.records == [["1"], [""], [""], ["2"], [""]])
    #expect(read.lines == [2, 3, 4, 5, 6])
  }

  @Test func `a header alone gives columns without records`() throws {
    for text in ["a,b", "a,b\n", "a,b\r\n\r\n"] {
      let read = try ReadTable(text)
      #expect(read.columns == ["a", "b"])
      #expect(read.records.isEmpty)
    }
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try ReadTable("\u{FEFF}a,b\n1,2").columns == ["a", "b"])
    #expect(try ReadTable("\u{FEFF}\"a\",b\n1,2").columns == ["a", "b"])
  }

  @Test func `names of columns are kept as they are`() throws {
    #expect(
      try ReadTable("\"q, x\",\"l\nb\",\"\"\"\",é,e\u{301}\n").columns
        == ["q, x", "l\nb", "\"", "é", "e\u{301}"])
  }

  @Test func `without a header the first line is a record`() throws {
    let layout = DelimitedLayout(columnNames: [])
    let read = try ReadTable("1,2\n3,4\n", layout: layout)
    #expect(read.columns == ["column1", "column2"])
    #expect(read.records == [["1", "2"], ["3", "4"]])
    #expect(read.lines == [1, 2])
  }

  @Test func `the names of columns may be declared`() throws {
    let layout = DelimitedLayout(columnNames: ["x", "y"])
    let read = try ReadTable("1,2\n", layout: layout)
    #expect(read.columns == ["x", "y"])
    #expect(read.records == [["1", "2"]])
  }

  @Test func `another quote may be declared`() throws {
    let layout = DelimitedLayout(quote: UInt8(ascii: "'"))
    #expect(try records("a,b\n'1,''2',\"x\n", layout: layout) == [["1,'2", "\"x"]])
  }

  @Test func `without quotes a quote is a character like any other`() throws {
    let layout = DelimitedLayout(quote: DelimitedLayout.noQuote)
    #expect(try records("a,b\n\"1,5\"\"\n", layout: layout) == [["\"1", "5\"\""]])
  }

  @Test func `tab-separated values are divided by tabs alone`() throws {
    let read = try ReadTable(
      bytes: "a\tb,c;d\n1\t\"x\ty\"\n\\t\t2,3\n".utf8, format: .tsv)
    #expect(read.columns == ["a", "b,c;d"])
    #expect(read.records == [["1", "x\ty"], ["\\t", "2,3"]])
  }

  @Test func `a long text comes in several batches that tell how far they are`() throws {
    let text = "a,b\n" + String(repeating: "1,text of a row\n", count: 20_000)
    let read = try ReadTable(text)
    #expect(read.batchCount > 1)
    #expect(read.inputBytesRead == text.utf8.count)
    #expect(read.records.count == 20_000)
  }

  @Test(arguments: [1, 61, 1_000])
  func `the batches do not depend on the pieces`(pieceSize: Int) throws {
    let text = "a,b\n" + String(repeating: "1,text of a row\n", count: 500)
    let whole = try ReadTable(bytes: text.utf8, batchWordCount: 100)
    let cut = try ReadTable(bytes: text.utf8, pieceSize: pieceSize, batchWordCount: 100)
    #expect(whole.batchCount == cut.batchCount)
    #expect(whole.records == cut.records)
  }

  @Test func `the consumer can stop the reading`() throws {
    let text = "a,b\n" + String(repeating: "1,text of a row\n", count: 100_000)
    let read = try ReadTable(bytes: text.utf8, stopAfterBatches: 2)
    #expect(read.wasCancelled)
    #expect(read.batchCount == 2)
  }

  @Test func `what the source throws comes out as it is`() throws {
    struct SourceFailure: Error {}
    #expect(throws: SourceFailure.self) {
      _ = try ReadTable(bytes: "a,b\n1,2\n3".utf8, failure: SourceFailure())
    }
  }
}
