import SeedTransport
import TestSupport
import Testing

#if canImport(Glibc)
  @Suite(
    .enabled(if: NginxServer.isAvailable && TestCertificate.isAvailable, "needs nginx and openssl"))
  struct TLSTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      try directory.makeDirectory("root")
      try directory.write("hello", to: "root/hello.txt")
    }

    @Test func `a trusted certificate gives the file and an untrusted one nothing`() throws {
      let certificate = try TestCertificate(in: directory)
      let server = try NginxServer(root: directory.path("root"), certificate: certificate)
      let error = try CurlTransport().failure(of: .get(server.url("/hello.txt")))
      guard case .untrusted? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try !server.accessLog.contains("GET"))
      let trusting = CurlTransport(certificateFile: certificate.certificatePath)
      #expect(try trusting.answer(.get(server.url("/hello.txt"))).text == "hello")
    }

    @Test func `a typed request to a server that is not trusted is insecure and not sent`()
      async throws
    {
      struct HelloRequest: JSONRequest {
        typealias Response = NoResponse
        let path = "hello.txt"
        let needsAccessToken = true
      }
      let certificate = try TestCertificate(in: directory)
      let server = try NginxServer(root: directory.path("root"), certificate: certificate)
      let network = try NetworkProvider(baseURL: server.url(""), accessToken: { "t0ken" })
      let error = await #expect(throws: RequestError.self) {
        try await network.send(HelloRequest())
      }
      guard case .insecure? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try !server.accessLog.contains("GET"))
    }

    @Test func `plain HTTP where TLS is expected is a failed handshake`() throws {
      let server = try NginxServer(root: directory.path("root"))
      let error = try CurlTransport().failure(of: .get("https://127.0.0.1:\(server.port)/"))
      guard case .handshake? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a certificate of another host is not trusted`() throws {
      let certificate = try TestCertificate(in: directory, names: "DNS:other.example")
      let server = try NginxServer(root: directory.path("root"), certificate: certificate)
      let trusting = CurlTransport(certificateFile: certificate.certificatePath)
      let error = try trusting.failure(of: .get(server.url("/hello.txt")))
      guard case .untrusted? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `a redirect from https to http is refused`() throws {
      let plain = try HTTPFaultServer(HTTPAnswer(text: "x"))
      let certificate = try TestCertificate(in: directory)
      let server = try NginxServer(
        root: directory.path("root"), certificate: certificate,
        directives: "location /go { return 302 \(plain.url()); }")
      let trusting = CurlTransport(certificateFile: certificate.certificatePath)
      let error = try trusting.failure(of: .get(server.url("/go")))
      #expect(error?.reason == .redirectRefused(.insecure, location: plain.url()))
      #expect(plain.requests.isEmpty)
    }
  }
#endif
