import SeedServer
import Testing

@Suite struct RequestTargetTests {
  @Test func `path and query are decoded`() throws {
    let target = try RequestTarget("/a%20b/v1/x?seq=4&id=%2F%3D&wait&a=b=c")
    #expect(target.parts == ["a b", "v1", "x"])
    #expect(target["seq"] == "4")
    #expect(target["id"] == "/=")
    #expect(target["wait"] == "")
    #expect(target["a"] == "b=c")
    #expect(target["other"] == nil)
    #expect(try RequestTarget("/").parts == [])
  }

  @Test(arguments: [
    "/..", "/a/../b", "/%2e%2E/etc/passwd", "/a/./b", "/a//b", "/a/", "/a%2Fb", "/a%5Cb", "/a%00b",
    "/a%0Ab",
  ])
  func `parts that lead elsewhere are refused`(text: String) {
    #expect(throws: RequestTarget.Problem.forbiddenPart) { try RequestTarget(text) }
  }

  @Test(arguments: ["/%", "/%4", "/%zz", "/%ff", "/a?x=%g0", "/%c0%ae%c0%ae"])
  func `malformed encodings are refused`(text: String) {
    #expect(throws: RequestTarget.Problem.malformedEncoding) { try RequestTarget(text) }
  }

  @Test(arguments: ["", "*", "http://host/a", "a/b"])
  func `what is no path is refused`(text: String) {
    #expect(throws: RequestTarget.Problem.notAPath) { try RequestTarget(text) }
  }
}
