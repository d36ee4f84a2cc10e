import SeedModel
import Testing

@testable import SeedInput

@Suite struct SourcePlaceTests {
  private func place(
    _ text: String, at index: Int
  ) -> (SeedModel.SourceLocation, SourceExcerpt?) {
    Array(text.utf8).withUnsafeBufferPointer {
      SourcePlace($0, startLine: 5, startColumn: 3).describe(index: index, file: "f")
    }
  }

  @Test func `columns count characters, from where the text starts`() {
    #expect(place("aé日x", at: 6).0 == SeedModel.SourceLocation(file: "f", line: 5, column: 6))
    #expect(place("a\né\r\nx", at: 6).0 == SeedModel.SourceLocation(file: "f", line: 7, column: 1))
  }

  @Test func `an excerpt is the line without its break`() {
    #expect(place("ab\nécd\r\nef", at: 6).1 == SourceExcerpt(text: "écd", caretOffset: 2))
    #expect(place("ab\n\ncd", at: 3).1 == nil)
  }

  @Test func `a long line is cut between characters`() throws {
    for shift in 0..<4 {
      let text = String(repeating: "x", count: shift) + String(repeating: "日", count: 200)
      let excerpt = try #require(place(text, at: shift + 300).1)
      #expect(excerpt.text.allSatisfy { $0 == "日" })
      #expect(excerpt.caretOffset == 24)
    }
  }

  @Test func `of many zeros one is shown`() {
    #expect(place("ab\0\0\0\0", at: 2).1 == SourceExcerpt(text: "ab\0", caretOffset: 2))
  }

  @Test func `an index beyond the text is its end`() {
    #expect(place("ab", at: 99).0 == SeedModel.SourceLocation(file: "f", line: 5, column: 5))
  }
}
