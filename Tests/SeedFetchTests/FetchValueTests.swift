import SeedFetch
import Testing

@Suite struct FetchValueTests {
  @Test(
    arguments: [
      ("plain", [.literal("plain")]), ("$TOKEN", [.environment("TOKEN")]),
      ("Bearer ${TOKEN}x", [.literal("Bearer "), .environment("TOKEN"), .literal("x")]),
      ("$A_1-$B", [.environment("A_1"), .literal("-"), .environment("B")]),
      ("5$$ and $ and $", [.literal("5$ and $ and $")]), ("", []),
    ] as [(String, [FetchValue.Part])])
  func `dollar signs name variables`(template: String, parts: [FetchValue.Part]) {
    #expect(FetchValue(template: template).parts == parts)
  }
}
