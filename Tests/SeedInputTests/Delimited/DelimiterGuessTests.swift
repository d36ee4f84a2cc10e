import SeedModel
import Testing

@testable import SeedInput

@Suite struct DelimiterGuessTests {
  @Test(arguments: [
    ("a,b\n1,2\n", ["a", "b"]), ("a;b\n1;2\n", ["a", "b"]), ("a\tb\n1\t2\n", ["a", "b"]),
    ("a|b\n1|2\n", ["a", "b"]), ("a\n1\n", ["a"]), ("a;\"b,,,c\"\n1;2\n", ["a", "b,,,c"]),
    ("a", ["a"]), ("a;b", ["a", "b"]),
  ])
  func `the delimiter is found in the header, outside of quotes`(
    text: String, columns: [String]
  ) throws {
    for size in [1, 3, 100] {
      let read = try ReadTable(text, pieceSize: size)
      #expect(read.columns == columns)
      #expect(read.remarks.isEmpty)
    }
  }

  @Test func `of two delimiters the more frequent is taken, with a note`() throws {
    let read = try ReadTable("price, EUR;amount;x\n1;2;3\n")
    #expect(read.columns == ["price, EUR", "amount", "x"])
    #expect(read.remarks.map(\.severity) == [.note])
    #expect(read.remarks.first?.hint?.contains("--delimiter") == true)
    #expect(read.remarks.first?.location == .init(file: "test.csv", line: 1))
  }

  @Test func `the quote is no delimiter`() throws {
    let read = try ReadTable("|a|;b\n|1;2|;3\n", layout: DelimitedLayout(quote: 0x7C))
    #expect(read.records == [["1;2", "3"]])
  }

  @Test func `a declared delimiter is taken without a note`() throws {
    let read = try ReadTable("a;b,c\n1;2,3\n", layout: DelimitedLayout(delimiter: 0x2C))
    #expect(read.columns == ["a;b", "c"])
    #expect(read.remarks.isEmpty)
  }

  @Test func `one column full of another delimiter gets a warning`() throws {
    let read = try ReadTable("a\n1;2\n3;4\n5\n")
    #expect(read.records == [["1;2"], ["3;4"], ["5"]])
    #expect(read.remarks.map(\.severity) == [.warning])
    #expect(read.remarks.first?.message.contains("\";\"") == true)
  }

  @Test(arguments: ["a\n1\n3;4\n5;6\n7\n", "a\nx\n", "a\n1;2\n"])
  func `one column with few of them gets none`(text: String) throws {
    #expect(try ReadTable(text).remarks.isEmpty)
  }
}
