import SeedTransport
import TestSupport
import Testing

@Suite struct RedirectTests {
  private let transport = StandardTransport.make()
  private let secrets = HTTPHeaders([
    HTTPField("Authorization", "Bearer s3cr3t"), HTTPField("X-Key", "k3y-value", isSecret: true),
    HTTPField("Cookie", "session=c00kie"), HTTPField("X-Plain", "plain"),
  ])

  @Test func `a redirect at the same server keeps all headers`() throws {
    let server = try HTTPFaultServer(.redirect("sub/b?c", status: 301), HTTPAnswer(text: "x"))
    let answer = try transport.answer(.get(server.url("/a/"), headers: secrets))
    #expect(answer.text == "x")
    #expect(answer.head?.url.text == server.url("/a/sub/b?c"))
    let second = try #require(server.requests.last)
    #expect(second.target == "/a/sub/b?c")
    #expect(second["authorization"] == "Bearer s3cr3t")
    #expect(second["x-key"] == "k3y-value")
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a redirect to another port or host sends no secret there`(host: String) throws {
    let target = try HTTPFaultServer(HTTPAnswer(text: "x"))
    let server = try HTTPFaultServer(.redirect(target.url(host: host)))
    #expect(try transport.answer(.get(server.url(), headers: secrets)).text == "x")
    let request = try #require(target.requests.first)
    for secret in ["s3cr3t", "k3y", "c00kie"] { #expect(!request.text.contains(secret)) }
    #expect(request["x-plain"] == "plain")
  }

  @Test func `another host's name for the same server is another host`() throws {
    let server = try HTTPFaultServer { request, _ in
      request["host"]?.hasPrefix("127") == true
        ? .redirect("http://localhost:\(request["host"]?.split(separator: ":").last ?? "")/b")
        : HTTPAnswer(text: "x")
    }
    _ = try transport.answer(.get(server.url(), headers: secrets))
    #expect(server.requests.count == 2)
    #expect(server.requests.last?["authorization"] == nil)
  }

  @Test func `a secret once dropped does not come back`() throws {
    let back = try HTTPFaultServer { request, _ in
      request.target == "/start"
        ? .redirect(request["x-plain"] ?? "") : HTTPAnswer(text: "x")
    }
    let other = try HTTPFaultServer(.redirect(back.url("/end")))
    var headers = secrets
    headers["X-Plain"] = other.url()
    _ = try transport.answer(.get(back.url("/start"), headers: headers))
    #expect(back.requests.map(\.target) == ["/start", "/end"])
    #expect(back.requests.last?["authorization"] == nil)
  }

  @Test func `redirects in a circle are left`() throws {
    let server = try HTTPFaultServer(.redirect("/again"))
    let error = try transport.failure(of: .get(server.url()))
    #expect(error?.reason == .redirectRefused(.tooMany, location: server.url("/again")))
    #expect(server.requests.count == 11)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect that does not say where to is refused, and not made again`(status: Int) throws {
    let server = try HTTPFaultServer(HTTPAnswer(status))
    let error = try #require(try transport.failure(of: .get(server.url())))
    #expect(error.reason == .redirectRefused(.noLocation, location: "\(status)"))
    #expect(error.message == "the server redirects (\(status)) and does not say where to")
    #expect(!error.isTransient)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://h/x", "http://", "http://a b/", "gopher:x"])
  func `a redirect to anything but the web is refused`(location: String) throws {
    let server = try HTTPFaultServer(.redirect(location))
    let error = try transport.failure(of: .get(server.url()))
    guard case .redirectRefused(.notAnAddress, _)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func `a redirected POST stays one only where the status says so`(
    status: Int, method: String
  ) throws {
    let server = try HTTPFaultServer(.redirect("/b", status: status), HTTPAnswer())
    var request = try HTTPRequest.get(server.url())
    request.method = "POST"
    request.body = Array("body".utf8)
    _ = try transport.answer(request)
    let last = try #require(server.requests.last)
    #expect(last.method == method)
    #expect(String(decoding: last.body, as: UTF8.self) == (method == "POST" ? "body" : ""))
  }

  @Test func `a secret that the server repeats in a redirect is not shown`() throws {
    let server = try HTTPFaultServer(.redirect("ftp://h/?token=s3cr3t"))
    let headers = HTTPHeaders([HTTPField("X-Key", "s3cr3t", isSecret: true)])
    let error = try #require(try transport.failure(of: .get(server.url(), headers: headers)))
    #expect(!"\(error)".contains("s3cr3t"))
    #expect("\(error)".contains("ftp://h/?token=***"))
  }

  @Test func `the path of a redirect to another server is not shown`() throws {
    let target = try HTTPFaultServer(.raw("no answer\n"))
    let server = try HTTPFaultServer(.redirect(target.url("/t0ken/file?sign=5ign")))
    var request = try HTTPRequest.get(server.url("/own/path"))
    request.redaction = Redaction(ownQuery: "")
    let error = try #require(try transport.failure(of: request))
    #expect(error.redirectedTo == target.url("/…?sign=…"))
  }

  @Test func `the path of a redirect at the same server is shown`() throws {
    let server = try HTTPFaultServer(.redirect("/other/path"), .raw("no answer\n"))
    let error = try transport.failure(of: .get(server.url("/own/path")))
    #expect(error?.redirectedTo == server.url("/other/path"))
    #expect(error?.url == server.url("/own/path"))
  }

  @Test func `the path of a refused redirect is not shown`() throws {
    let server = try HTTPFaultServer(.redirect("ftp://h/t0ken/file"))
    let error = try transport.failure(of: .get(server.url("/own")))
    #expect(error?.reason == .redirectRefused(.notAnAddress, location: "ftp://h/…"))
    #expect(error?.url == server.url("/own"))
  }
}
