import SeedStreams
import Testing

@Suite struct StreamLayoutTests {
  @Test func `an object lies in a folder of its first two digits`() {
    #expect(StreamLayout.object("3fa9c0e1") == "o/3f/3fa9c0e1")
    #expect(StreamLayout.folder(of: "catalog") == "catalog/v1")
  }
}
