import SeedFetch
import SeedTransport
import TestSupport
import Testing

/// Secrets leave the process only towards the server that they are for.
@Suite struct SecretTests {
  private let fixture: FetchFixture
  private let headers = [
    FetchSource.Field("Authorization", FetchValue(template: "Bearer $TOKEN")),
    FetchSource.Field("X-Key", .environment("KEY")),
  ]
  private let query = [FetchSource.Field("api_key", .environment("KEY"))]
  private let environment = ["TOKEN": "t0k3n-5ecret", "KEY": "k3y/5ecret"]

  init() throws {
    fixture = try FetchFixture()
  }

  private func isClean(_ text: String) -> Bool {
    ["t0k3n", "5ecret", "k3y"].allSatisfy { !text.contains($0) }
  }

  @Test func `no secret is in the cache, the lock or a name`() throws {
    // The server does all it can to have the secrets written down.
    let server = try HTTPFaultServer { request, number in
      guard number < 2 else { return HTTPAnswer(text: "last") }
      return HTTPAnswer(
        200, [("ETag", "\"a\""), ("Link", "<?page=\(number)&api_key=k3y%2F5ecret>; rel=next")],
        text: "page \(number)")
    }
    let source = try fixture.fetch(
      server.url("/list"), headers: headers, query: query, environment: environment)
    #expect(server.requests[0].target == "/list?api_key=k3y%2F5ecret")
    #expect(server.requests[0]["authorization"] == "Bearer t0k3n-5ecret")
    #expect(source.pages.count == 3)
    try FetchLock([source]).write(to: fixture.directory.path("seed.lock"))
    #expect(isClean(try fixture.everything()))
    #expect(source.displayName == server.url("/list?api_key=***"))
    #expect(isClean("\(source)"))
  }

  @Test func `pages whose addresses hold a secret are found offline too`() throws {
    let server = try HTTPFaultServer { _, number in
      number == 0
        ? HTTPAnswer(200, [("Link", "<?page=2&api_key=k3y%2F5ecret>; rel=next")], text: "one")
        : HTTPAnswer(text: "two")
    }
    _ = try fixture.fetch(server.url(), query: query, environment: environment)
    let source = try fixture.fetch(server.url(), query: query, environment: environment) {
      $0.isOffline = true
    }
    #expect(try source.pages.map(fixture.text) == ["one", "two"])
  }

  @Test func `no error tells a secret`() throws {
    let closed = try HTTPFaultServer.closedPort()
    let answers: [HTTPAnswer] = [
      HTTPAnswer(401, text: "t0k3n-5ecret"), HTTPAnswer(500), .raw("t0k3n-5ecret k3y/5ecret\n"),
      .redirect("ftp://h/?a=t0k3n-5ecret"), .redirect("/k3y%2F5ecret"),
      HTTPAnswer(text: "abc").with(.close(after: 48)),
      HTTPAnswer(200, [("Content-Encoding", "br")]),
      HTTPAnswer(200, [("Link", "<ftp://t0k3n-5ecret/>; rel=next")]),
      HTTPAnswer(200, [("Link", "</list?api_key=k3y%2F5ecret>; rel=next")]),
    ]
    var texts: [String] = []
    for answer in answers {
      let server = try HTTPFaultServer(answer)
      let error = try fixture.failure(
        server.url("/list"), headers: headers, query: query, environment: environment)
      texts.append("\(try #require(error)) \(error?.hint ?? "") \(String(reflecting: error))")
    }
    for url in [
      "http://127.0.0.1:\(closed)/?t0k3n-5ecret", "http://a:t0k3n-5ecret@b c/",
      "ftp://a:t0k3n-5ecret@b/",
    ] {
      let error = try fixture.failure(url, headers: headers, query: query, environment: environment)
      texts.append("\(try #require(error)) \(String(reflecting: error))")
    }
    for text in texts { #expect(isClean(text)) }
  }

  @Test func `requests that differ in their secrets alone share what is cached`() throws {
    let file = ServedFile(Array("abc".utf8))
    let server = try HTTPFaultServer { request, _ in file.answer(to: request) }
    for key in ["first-key", "second-key"] {
      _ = try fixture.fetch(server.url(), query: query, environment: ["KEY": key])
    }
    #expect(server.requests.last?["if-none-match"] == "\"v1\"")
  }

  @Test func `requests that differ in other headers do not`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(200, [("ETag", "\"a\"")], text: "abc"))
    for language in ["de", "en"] {
      _ = try fixture.fetch(
        server.url(), headers: [.init("Accept-Language", .literal(language))])
    }
    #expect(server.requests.last?["if-none-match"] == nil)
  }

  @Test func `what a server puts into the query of a redirect is in no error`() throws {
    let signed = "/file?X-Amz-Signature=5ecret&part=1"
    let page = "<html><body>log in</body></html>"
    for last in [
      HTTPAnswer(text: page), HTTPAnswer(404), .redirect(signed + "&again=5ecret"),
      HTTPAnswer(text: "abc").with(.close(after: 48)),
    ] {
      let server = try HTTPFaultServer { request, _ in
        request.target.hasPrefix("/file") ? last : .redirect(signed)
      }
      let error = try #require(try fixture.failure(server.url("/list?kind=a")))
      let text = "\(error) \(error.hint ?? "") \(String(reflecting: error))"
      #expect(isClean(text))
      #expect(text.contains("/file?X-Amz-Signature=…&part=1") || text.contains("/list?kind=a"))
    }
  }

  /// Answers two pages, the first of which leads to the second with a token.
  private func pages(second: HTTPAnswer) throws -> HTTPFaultServer {
    try HTTPFaultServer { request, _ in
      request.target == "/list?kind=a"
        ? HTTPAnswer(200, [("Link", "<?kind=a&page=2&token=5ecret>; rel=next")], text: "one")
        : second
    }
  }

  @Test func `the token of a next page is in no lock and no name, and the page found offline`()
    throws
  {
    let server = try pages(second: HTTPAnswer(text: "two"))
    let url = server.url("/list?kind=a")
    let source = try fixture.fetch(url)
    #expect(server.requests[1].target == "/list?kind=a&page=2&token=5ecret")
    #expect(source.pages.map(\.displayName) == [url, url + "&page=2&token=…"])
    let path = fixture.directory.path("seed.lock")
    try FetchLock([source]).write(to: path)
    #expect(isClean(try fixture.directory.text(of: "seed.lock")))
    let offline = try fixture.fetch(url) {
      $0.isOffline = true
      $0.lock = try? FetchLock.read(path)
    }
    #expect(try offline.pages.map(fixture.text) == ["one", "two"])
    // Without the lock the way goes over what the cache has of the first page.
    #expect(try fixture.fetch(url) { $0.isOffline = true }.pages.count == 2)
  }

  @Test func `the token of a next page is in no error`() throws {
    let server = try pages(second: HTTPAnswer(404))
    let error = try #require(try fixture.failure(server.url("/list?kind=a")))
    #expect(error.place == server.url("/list?kind=a&page=2&token=…"))
    #expect(isClean("\(error) \(String(reflecting: error))"))
  }

  @Test func `a lock with the token of an earlier version is that of the same pages`() throws {
    let server = try pages(second: HTTPAnswer(text: "two"))
    let url = server.url("/list?kind=a")
    let source = try fixture.fetch(url)
    try FetchLock([source]).write(to: fixture.directory.path("seed.lock"))
    let text = try fixture.directory.text(of: "seed.lock").replacing(
      "token=…", with: "token=5ecret")
    let path = try fixture.directory.write(text, to: "old.lock")
    let lock = try #require(try FetchLock.read(path))
    try lock.check([source])
    try lock.write(to: path)
    #expect(isClean(try fixture.directory.text(of: "old.lock")))
  }
}
