import Testing

@testable import SeedCommand

@Suite struct ReadableTests {
  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KB"), (12288, "12 KB"), (1536, "1.5 KB"),
    (10_189, "10 KB"), (1_048_063, "1023 KB"), (1_048_575, "1 MB"), (28_311_552, "27 MB"),
    (1_288_490_189, "1.2 GB"), (Int64.max, "8 EB"),
  ])
  func `a size has a unit of 1024`(count: Int64, text: String) {
    #expect(Readable.bytes(count) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
    (Int64.min, "-9,223,372,036,854,775,808"),
  ])
  func `a count has groups of three digits`(count: Int64, text: String) {
    #expect(Readable.count(count) == text)
  }

  @Test(arguments: [(0, "0 rows"), (1, "1 row"), (2000, "2,000 rows")])
  func `a noun follows the number`(count: Int64, text: String) {
    #expect(Readable.count(count, "row") == text)
  }

  @Test(arguments: [
    (0, "0.00 s"), (0.0099, "0.01 s"), (9.99, "9.99 s"), (9.999, "10.0 s"), (12.34, "12.3 s"),
    (59.99, "1 min 0 s"), (75, "1 min 15 s"), (7380, "2 h 3 min"), (-1, "0.00 s"),
    (.infinity, "very long"),
  ])
  func `a duration has the digits that matter`(seconds: Double, text: String) {
    #expect(Readable.duration(seconds: seconds) == text)
  }
}
