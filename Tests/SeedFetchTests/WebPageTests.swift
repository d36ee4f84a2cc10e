import SeedFetch
import SeedTransport
import TestSupport
import Testing

/// Servers that send a web page in place of data.
@Suite struct WebPageTests {
  private let fixture: FetchFixture

  init() throws {
    fixture = try FetchFixture()
  }

  @Test(arguments: [
    "<!DOCTYPE html><title>Log in</title>", "\n <!doctype HTML>", "\u{FEFF}<html lang=\"en\">",
    "<HTML>",
  ])
  func `a web page is refused by its beginning`(text: String) throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: text))
    let error = try fixture.failure(server.url())
    #expect(error == FetchError(.webPage(requested: server.url()), place: server.url()))
    #expect(try fixture.failure(server.url()) { $0.isOffline = true }?.reason == .notCached)
  }

  @Test(arguments: ["<htmlish/>", "<?xml version=\"1.0\"?><html/>", "<a><html/></a>", ""])
  func `other documents are none`(text: String) throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: text))
    #expect(try fixture.fetch(server.url()).pages.map(\.webPageAddress) == [nil])
  }

  @Test func `the address is that behind the redirects`() throws {
    let server = try HTTPFaultServer { request, _ in
      request.target == "/login" ? HTTPAnswer(text: "<html></html>") : .redirect("/login")
    }
    let error = try fixture.failure(server.url("/a.xml"))
    #expect(
      error == FetchError(.webPage(requested: server.url("/a.xml")), place: server.url("/login")))
    #expect(
      error?.message == "the server sent a web page when asked for \"\(server.url("/a.xml"))\"")
  }

  @Test func `data that a server calls a web page is taken and marked`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(200, [("Content-Type", "Text/HTML; charset=utf-8")], text: "{}"))
    #expect(try fixture.fetch(server.url()).pages.map(\.webPageAddress) == [server.url()])
  }

  @Test func `a web page is taken where the format is declared`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(200, [("Content-Type", "text/html")], text: "<html/>"))
    var source = FetchSource(server.url())
    source.isFormatDeclared = true
    let options = FetchOptions(
      cacheDirectory: fixture.directory.path("cache"), environment: { _ in nil })
    let fetched = try Fetcher(StandardTransport.make(), options: options).fetch([source])
    #expect(fetched[0].pages.map(\.webPageAddress) == [nil])
    // What was taken as XML then is no data now.
    #expect(try fixture.failure(server.url()) { $0.isOffline = true }?.place == server.url())
  }
}
