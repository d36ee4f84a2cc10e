import SeedStreams
import Testing

/// A network that answers in the server's place, and a head that is something else.
@Suite struct WebPageTests {
  private let history = PublishedHistory()

  private func failure(_ body: String) throws -> StreamError? {
    let server = MemoryServer(history.files(try history.head(.steps)))
    server.onRequest { request, right in
      guard request.isHead else { return right }
      return MemoryServer.Answer(headers: [("Content-Type", "text/html")], body: Array(body.utf8))
    }
    return try AppDatabase(history).failure(server)
  }

  @Test(arguments: [
    "<!DOCTYPE html><html>Please sign in</html>", "\u{FEFF}\n <html></html>", "<p>Wi-Fi</p>",
  ])
  func `a web page in place of the head is named as such, with its address`(page: String) throws {
    let error = try failure(page)
    #expect(error?.reason == .webPage(url: MemoryServer.base + "/head.json"))
    #expect(error?.hint?.contains("login page") == true)
  }

  @Test func `a head that is no JSON is told with its address`() throws {
    let message = try #require(try failure("not found")?.message)
    #expect(message.contains("the head is no JSON"))
    #expect(message.hasSuffix("at " + MemoryServer.base + "/head.json"))
  }
}
