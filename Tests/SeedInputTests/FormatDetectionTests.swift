import SeedModel
import Testing

@testable import SeedInput

@Suite struct FormatDetectionTests {
  private func format(
    _ name: String, _ text: String, layout: DelimitedLayout = DelimitedLayout()
  ) -> InputFormat? {
    FormatDetection.format(name: name, prefix: Array(text.utf8), layout: layout)
  }

  @Test(arguments: [
    ("a.csv", "<r/>", InputFormat.csv), ("a.tsv.gz", "", .tsv), ("a.tab", "x", .tsv),
    ("a.txt", "a,b\n1\t2", .csv), ("a.txt", "a;b\n", .csv), ("a", "a\tb,c\n", .tsv),
    ("a.txt", "\u{FEFF}a,b", .csv),
  ])
  func `delimited text is known by its name or its first line`(
    name: String, text: String, expected: InputFormat
  ) {
    #expect(format(name, text) == expected)
  }

  @Test func `text without a delimiter is nothing that is known`() {
    #expect(format("a.txt", "abc\n1;2\n") == nil)
  }

  @Test func `a declared layout says that a text is delimited`() {
    let layout = DelimitedLayout(delimiter: UInt8(ascii: "~"))
    #expect(format("a.txt", "a~b\n", layout: layout) == .csv)
    #expect(format("-", "<a>~b\n", layout: DelimitedLayout(columnNames: [])) == .csv)
    #expect(format("a.xml", "<r/>", layout: layout) == .xml)
    #expect(format("a.tsv", "a~b\n", layout: layout) == .tsv)
  }
}
