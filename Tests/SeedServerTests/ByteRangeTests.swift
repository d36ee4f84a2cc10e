import SeedServer
import Testing

@Suite struct ByteRangeTests {
  @Test(arguments: [
    ("bytes=0-", 0, 100), ("bytes=10-19", 10, 20), ("bytes=90-500", 90, 100),
    ("bytes=99-99", 99, 100), ("bytes=-10", 90, 100), ("bytes=-500", 0, 100),
    ("BYTES=5-", 5, 100), ("bytes=1-99999999999999999999999", 1, 100),
  ])
  func `a part is what lies between two bytes`(text: String, first: Int64, end: Int64) {
    #expect(ByteRange(text, of: 100) == .part(first..<end))
  }

  @Test(arguments: ["bytes=100-", "bytes=200-300", "bytes=-0", "bytes=99999999999999999999999-"])
  func `what lies behind the end cannot be satisfied`(text: String) {
    #expect(ByteRange(text, of: 100) == .unsatisfiable)
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=0-1,5-6", "items=0-1",
    "bytes=+1-2", "bytes=1", "bytes=1-2-3", "bytes=-1-2",
  ])
  func `what is malformed or asks for several parts gets the whole`(text: String) {
    #expect(ByteRange(text, of: 100) == .whole)
  }
}
