import SeedFetch
import SeedFiles
import SeedTransport
import TestSupport
import Testing

@Suite struct FetcherTests {
  private let fixture: FetchFixture

  init() throws {
    fixture = try FetchFixture()
  }

  @Test func `a page is a file in the cache, named by its content`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "abc"))
    let source = try fixture.fetch(server.url("/a.xml"))
    let page = try #require(source.pages.first)
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(page.displayName == server.url("/a.xml"))
    #expect(page.sha256 == digest)
    #expect(page.byteCount == 3)
    #expect(page.path == fixture.directory.path("cache/objects/ba/\(digest)"))
    #expect(try fixture.text(page) == "abc")
  }

  @Test func `an unchanged document is not fetched again`() throws {
    let file = ServedFile(Array("abc".utf8))
    let server = try HTTPFaultServer { request, _ in file.answer(to: request) }
    let first = try fixture.fetch(server.url())
    let second = try fixture.fetch(server.url())
    #expect(first == second)
    #expect(server.requests.map { $0["if-none-match"] } == [nil, "\"v1\""])
    #expect(try !fixture.everything().contains(".part"))
  }

  @Test func `a part is not continued with another document that has no tag`() throws {
    let tagged = ServedFile(Array(repeating: 1, count: 5000))
    let untagged = ServedFile(Array(repeating: 2, count: 5000), entityTag: nil)
    let server = try HTTPFaultServer { request, number in
      // The second document takes the place of the first for one request.
      let answer = (number == 1 ? untagged : tagged).answer(to: request)
      return number < 2 ? answer.with(.close(after: answer.head.count + 100 + number)) : answer
    }
    for _ in 0..<2 { _ = try fixture.failure(server.url()) { $0.retry.retryCount = 0 } }
    let page = try fixture.fetch(server.url()).pages[0]
    #expect(try fixture.text(page).utf8.allSatisfy { $0 == 1 })
    #expect(server.requests.map(\.rangeStart) == [nil, 100, nil])
  }

  @Test func `a changed document is fetched again`() throws {
    let server = try HTTPFaultServer { request, number in
      ServedFile(Array("text \(number)".utf8), entityTag: "\"\(number)\"").answer(to: request)
    }
    _ = try fixture.fetch(server.url())
    let second = try fixture.fetch(server.url())
    #expect(try fixture.text(second.pages[0]) == "text 1")
  }

  @Test func `a damaged document in the cache is fetched again`() throws {
    let file = ServedFile(Array("abc".utf8))
    let server = try HTTPFaultServer { request, _ in file.answer(to: request) }
    let page = try fixture.fetch(server.url()).pages[0]
    try fixture.directory.write("abd", to: "cache/objects/ba/\(page.sha256)")
    #expect(try fixture.text(fixture.fetch(server.url()).pages[0]) == "abc")
    #expect(server.requests.last?["if-none-match"] == nil)
  }

  @Test func `the pages of a source are followed to the last`() throws {
    let server = try HTTPFaultServer { request, _ in
      switch request.target {
      case "/list": HTTPAnswer(200, [("Link", "<?page=2>; rel=\"next\"")], text: "one")
      case "/list?page=2": HTTPAnswer(200, [("Link", "</list?page=3>; rel=next")], text: "two")
      default: HTTPAnswer(text: "three")
      }
    }
    let source = try fixture.fetch(server.url("/list"))
    #expect(try source.pages.map(fixture.text) == ["one", "two", "three"])
    #expect(
      source.pages.map(\.displayName)
        == ["", "?page=2", "?page=3"].map { server.url("/list") + $0 })
  }

  @Test func `pages that lead back are an error`() throws {
    let server = try HTTPFaultServer { request, _ in
      HTTPAnswer(200, [("Link", "</\(request.target == "/a" ? "b" : "a")>; rel=next")])
    }
    #expect(try fixture.failure(server.url("/a"))?.reason == .pageLoop(server.url("/a")))
  }

  @Test func `pages without end are an error`() throws {
    let server = try HTTPFaultServer { _, number in
      HTTPAnswer(200, [("Link", "</\(number)>; rel=next")])
    }
    #expect(try fixture.failure(server.url("/a")) { $0.pageLimit = 5 }?.reason == .tooManyPages(5))
    #expect(server.requests.count == 5)
  }

  @Test func `a source may say how many pages it has at most`() throws {
    let server = try HTTPFaultServer { _, number in
      HTTPAnswer(200, [("Link", "</\(number)>; rel=next")])
    }
    var options = FetchOptions(
      cacheDirectory: fixture.directory.path("cache"), environment: { _ in nil })
    options.pageLimit = 5
    var source = FetchSource(server.url("/a"))
    source.pageLimit = 7
    let fetcher = Fetcher(StandardTransport.make(), options: options)
    #expect {
      _ = try fetcher.fetch([source])
    } throws: { error in
      (error as? FetchError)?.reason == .tooManyPages(7)
    }
    #expect(server.requests.count == 7)
  }

  @Test func `a failure behind a redirect names both addresses`() throws {
    let other = try HTTPFaultServer(HTTPAnswer(403))
    let server = try HTTPFaultServer { _, _ in .redirect(other.url("/private/token")) }
    let error = try #require(try fixture.failure(server.url("/a")))
    #expect(error.place == server.url("/a"))
    #expect(error.message.contains("403"))
    #expect(error.message.contains("(redirected to \"\(other.url("/…"))\")"), "\(error)")
    #expect(!"\(error)".contains("token"))
  }

  @Test func `a wait that is cut short is told`() throws {
    let server = try HTTPFaultServer { _, number in
      number == 0 ? HTTPAnswer(503, [("Retry-After", "3600")]) : HTTPAnswer(text: "one")
    }
    let waits = Lock<[(Duration?, Duration)]>([])
    _ = try fixture.fetch(server.url("/a")) {
      $0.onCutWait = { error, wait in waits.withLock { $0.append((error.retryAfter, wait)) } }
    }
    #expect(waits.withLock { $0.map(\.0) } == [.seconds(3600)])
    #expect(waits.withLock { $0.map(\.1) } == [.seconds(120)])
  }

  @Test func `a next page at another server gets no secret`() throws {
    let other = try HTTPFaultServer(HTTPAnswer(text: "two"))
    let server = try HTTPFaultServer(
      HTTPAnswer(200, [("Link", "<\(other.url("/2", host: "localhost"))>; rel=next")], text: "one"))
    let source = try fixture.fetch(
      server.url(),
      headers: [.init("X-Key", .environment("KEY")), .init("X-Plain", .literal("p"))],
      environment: ["KEY": "s3cr3t-value"])
    #expect(source.pages.count == 2)
    #expect(server.requests[0]["x-key"] == "s3cr3t-value")
    #expect(other.requests[0]["x-plain"] == "p")
    #expect(!other.requests[0].text.contains("s3cr3t"))
  }

  @Test func `offline the cache is enough for all pages`() throws {
    let url: String
    do {
      let server = try HTTPFaultServer { request, _ in
        request.target == "/a"
          ? HTTPAnswer(200, [("Link", "</b>; rel=next")], text: "one") : HTTPAnswer(text: "two")
      }
      url = server.url("/a")
      _ = try fixture.fetch(url)
    }
    let source = try fixture.fetch(url) { $0.isOffline = true }
    #expect(try source.pages.map(fixture.text) == ["one", "two"])
  }

  @Test func `offline without the document is an error and asks nobody`() throws {
    let server = try HTTPFaultServer(HTTPAnswer())
    let error = try fixture.failure(server.url()) { $0.isOffline = true }
    #expect(error == FetchError(.notCached, place: server.url()))
    #expect(server.requests.isEmpty)
  }

  @Test func `a locked source must be the recorded one`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "old"), HTTPAnswer(text: "new"))
    let first = try fixture.fetch(server.url())
    let lock = FetchLock([first])
    let error = try fixture.failure(server.url()) { $0.lock = lock }
    guard case .lockDiffers(.content(let expected, let got))? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(expected.sha256 == first.pages[0].sha256)
    #expect(got.sha256 != expected.sha256)
    #expect(error?.place == server.url())
  }

  @Test func `a source that the lock does not know is not even asked for`() throws {
    let server = try HTTPFaultServer(HTTPAnswer())
    let error = try fixture.failure(server.url()) { $0.lock = FetchLock() }
    #expect(error == FetchError(.notLocked, place: server.url()))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [nil, ""])
  func `a variable that is not set is an error before anything is sent`(value: String?) throws {
    let server = try HTTPFaultServer(HTTPAnswer())
    let error = try fixture.failure(
      server.url(), headers: [.init("Authorization", .environment("TOKEN"))],
      environment: value.map { ["TOKEN": $0] } ?? [:])
    #expect(error?.reason == .missingVariable("TOKEN"))
    #expect(server.requests.isEmpty)
  }

  @Test func `user and password of an address are sent as a header and not kept`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "x"))
    let address = "http://me:hunter22@127.0.0.1:\(server.port)/"
    let source = try fixture.fetch(address)
    #expect(server.requests[0]["authorization"] == "Basic bWU6aHVudGVyMjI=")
    #expect(source.displayName == server.url())
    #expect(try !fixture.everything().contains("hunter22"))
  }

  @Test func `a broken download goes on in the next run`() throws {
    let file = ServedFile((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request)
      return number == 0 ? answer.with(.close(after: answer.head.count + 2000)) : answer
    }
    let error = try fixture.failure(server.url()) { $0.retry.retryCount = 0 }
    #expect(
      error?.reason
        == .transport(TransportError(.cut(received: 2000, expected: 5000), url: server.url())))
    let source = try fixture.fetch(server.url())
    #expect(source.pages[0].byteCount == 5000)
    #expect(server.requests.map(\.rangeStart) == [nil, 2000])
    #expect(try !fixture.everything().contains(".part"))
  }

  @Test func `a page longer than the limit is refused`() throws {
    var answer = HTTPAnswer(text: "x").with(.stall(after: 1000))
    answer.declaredLength = 10 << 30
    let server = try HTTPFaultServer(answer)
    let error = try fixture.failure(server.url())
    #expect(
      error?.reason
        == .transport(
          TransportError(.tooLarge(limit: FetchOptions.defaultByteLimit), url: server.url())))
  }

  @Test func `a packed answer is kept as it is`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(200, [("Content-Encoding", "gzip")], body: [31, 139]))
    #expect(try fixture.fetch(server.url()).pages[0].byteCount == 2)
  }

  @Test func `a document whose end is not declared is marked`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "x").with(.untilClose))
    #expect(try !fixture.fetch(server.url()).pages[0].isLengthKnown)
    #expect(try !fixture.fetch(server.url()) { $0.isOffline = true }.pages[0].isLengthKnown)
  }
}
