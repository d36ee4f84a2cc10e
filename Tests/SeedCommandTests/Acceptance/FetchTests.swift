import Foundation
import TestSupport
import Testing

/// Builds from addresses with the real program.
@Suite struct FetchTests {
  private let directory: TemporaryDirectory
  private static let document = """
    <Events>
      <Event timeStamp="16.01.2010" />
      <Event timeStamp="01.02.2010" />
    </Events>
    """

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Runs `seed` in the test's directory with a cache of its own and without the caller's proxies.
  private func seed(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> CommandRun {
    try CommandRun.run(
      Project.tool.path, arguments,
      environment: ["SEED_CACHE_DIR": directory.path("cache"), "PATH": "/usr/bin:/bin"]
        .merging(environment) { $1 },
      directory: directory.path)
  }

  private func rows(_ query: String = "SELECT timeStamp FROM Event ORDER BY 1") async throws
    -> [[String]]
  {
    let outcome = try await Project.check("query.py", [directory.path("default.sqlite"), query])
    return outcome.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }

  private func served(_ tag: String = "\"v1\"") -> ServedFile {
    ServedFile(Array(Self.document.utf8), entityTag: tag)
  }

  @Test func `an address is built like a file, and locked`() async throws {
    let server = try HTTPFaultServer { [served = served()] request, _ in served.answer(to: request)
    }
    let run = try seed(["build", server.url("/Events.xml")])
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.errorText.isEmpty)
    #expect(try await rows() == [["'2010-01-16'"], ["'2010-02-01'"]])
    #expect(try directory.text(of: "seed.lock").contains(server.url("/Events.xml")))

    let bytes = try directory.bytes(of: "default.sqlite")
    try directory.write(Self.document, to: "Events.xml")
    #expect(try seed(["build", "Events.xml", "-o", "local.sqlite"]).status == 0)
    #expect(try directory.bytes(of: "local.sqlite") == bytes)
  }

  @Test func `an unchanged document is a 304 and offline none is needed`() throws {
    let url: String
    do {
      let server = try HTTPFaultServer { [served = served()] request, _ in
        served.answer(to: request)
      }
      url = server.url()
      for _ in 0..<2 { #expect(try seed(["build", url]).status == 0) }
      #expect(server.requests.map { $0["if-none-match"] } == [nil, "\"v1\""])
    }
    let offline = try seed(["build", "--offline", "--locked", url, "-o", "offline.sqlite"])
    #expect(offline.status == 0, "\(offline.errorText)")
    #expect(
      try directory.bytes(of: "offline.sqlite") == directory.bytes(of: "default.sqlite"))
    #expect(try seed(["build", url, "--retries", "0"]).status == 69)
  }

  @Test func `offline without the document names what is missing`() throws {
    let run = try seed(["build", "--offline", "https://example.invalid/a.xml"])
    #expect(run.status == 66)
    #expect(
      run.errorText == """
        https://example.invalid/a.xml: error: the cache does not have this document
        hint: build once without --offline

        """)
  }

  @Test func `offline the locked document is built, though the server's has changed since`()
    throws
  {
    let server = try HTTPFaultServer { request, number in
      number == 0 ? HTTPAnswer(text: Self.document) : HTTPAnswer(text: "<Events><Event/></Events>")
    }
    let url = server.url("/Events.xml")
    #expect(try seed(["build", url]).status == 0)
    let bytes = try directory.bytes(of: "default.sqlite")
    #expect(try seed(["build", url, "--check"]).status == 1)
    #expect(try seed(["build", url, "--locked"]).status == 65)
    // Another build moves the cache on, but not the lock.
    try directory.makeDirectory("other")
    let lock = try directory.bytes(of: "seed.lock")
    #expect(try seed(["build", url, "-o", "other/a.sqlite"]).status == 0)
    try directory.write(lock, to: "seed.lock")
    for options in [["--offline"], ["--offline", "--locked"]] {
      let run = try seed(["build", url, "-o", "offline.sqlite"] + options)
      #expect(run.status == 0)
      #expect(run.errorText.isEmpty, "\(run.errorText)")
      #expect(try directory.bytes(of: "offline.sqlite") == bytes)
    }
  }

  @Test func `offline what the lock does not describe is warned about`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.document))
    #expect(try seed(["build", server.url()]).status == 0)
    let lock = try directory.text(of: "seed.lock")
    let changed = lock.replacing(/[0-9a-f]{64}/) { _ in String(repeating: "0", count: 64) }
    try directory.write(changed, to: "seed.lock")
    let run = try seed(["build", server.url(), "--offline"])
    #expect(run.status == 0)
    #expect(
      run.errorText.hasPrefix("\(server.url()): warning: this is not what seed.lock describes"),
      "\(run.errorText)")
    #expect(try seed(["build", server.url(), "--offline", "--quiet"]).errorText.isEmpty)
    #expect(try seed(["build", server.url(), "--offline", "--locked"]).status == 66)
    try directory.write("{ \"format\": 1, \"sources\": [] }", to: "seed.lock")
    let unknown = try seed(["build", server.url(), "--offline"])
    #expect(unknown.errorText.contains("warning: seed.lock does not speak of this source"))
  }

  @Test func `a web page in place of data is named before any reader complains`() throws {
    let server = try HTTPFaultServer { request, _ in
      request.target == "/login"
        ? HTTPAnswer(text: "<!DOCTYPE html><html><head><meta></head></html>")
        : .redirect("/login")
    }
    let run = try seed(["build", server.url("/a.csv")])
    #expect(run.status == 69)
    #expect(
      run.errorText.hasPrefix("\(server.url("/login")): error: the server sent a web page when "),
      "\(run.errorText)")
    #expect(try !directory.names.contains("seed.lock"))
  }

  @Test func `data that a server calls a web page is warned about`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(200, [("Content-Type", "text/html")], text: Self.document))
    let run = try seed(["build", server.url()])
    #expect(run.status == 0)
    #expect(run.errorText.hasPrefix("\(server.url()): warning: the server says that it sent a web"))
    #expect(try seed(["build", server.url(), "--format", "xml"]).errorText.isEmpty)
  }

  @Test(arguments: ["--offline", "--locked", "--retries"])
  func `options about fetching need a source that is fetched`(option: String) throws {
    try directory.write(Self.document, to: "Events.xml")
    try directory.write("{ \"sources\": [{ \"file\": \"Events.xml\" }] }", to: "seed.json")
    let options = option == "--retries" ? [option, "2"] : [option]
    for arguments in [["build", "Events.xml"], ["build"], ["schema"]] {
      let run = try seed(arguments + options)
      #expect(run.status == 64)
      #expect(
        run.errorText.contains(
          "option \"\(option)\" is about sources at addresses, of which there are none"))
    }
  }

  @Test func `a locked build fails when the document has changed`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(text: Self.document), HTTPAnswer(text: Self.document + "\n"))
    #expect(try seed(["build", server.url()]).status == 0)
    let before = try directory.bytes(of: "default.sqlite")
    let run = try seed(["build", "--locked", server.url()])
    #expect(run.status == 65)
    #expect(run.errorText.contains("\(server.url()): error: the document is not the locked one"))
    #expect(try directory.bytes(of: "default.sqlite") == before)
    try FileManager.default.removeItem(atPath: directory.path("seed.lock"))
    #expect(try seed(["build", "--locked", server.url()]).status == 66)
  }

  @Test func `a secret from the environment reaches the server and nothing else`() throws {
    let server = try HTTPFaultServer { request, _ in
      request["authorization"] == "Bearer s3cr3t-token"
        ? HTTPAnswer(text: Self.document) : HTTPAnswer(401)
    }
    let arguments = ["build", server.url(), "--header", "Authorization: Bearer $API_TOKEN"]
    let run = try seed(arguments, environment: ["API_TOKEN": "s3cr3t-token"])
    #expect(run.status == 0, "\(run.errorText)")
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
      let bytes = FileManager.default.contents(atPath: directory.path(name)) ?? Data()
      #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cr3t"), "\(name)")
    }

    let unset = try seed(arguments)
    #expect(unset.status == 64)
    #expect(unset.errorText.contains("the environment variable \"API_TOKEN\" is not set"))
    let wrong = try seed(arguments, environment: ["API_TOKEN": "wr0ng-token"])
    #expect(wrong.status == 69)
    #expect(wrong.errorText.contains("error: the server answers 401 (unauthorized)"))
    #expect(!wrong.errorText.contains("wr0ng"))
    #expect(server.requests.count == 2)
  }

  @Test func `a cut answer is resumed`() throws {
    let server = try HTTPFaultServer { [served = served()] request, number in
      let answer = served.answer(to: request)
      return number == 0 ? answer.with(.close(after: answer.head.count + 20)) : answer
    }
    #expect(try seed(["build", server.url()]).status == 0)
    #expect(server.requests.map(\.rangeStart) == [nil, 20])
  }

  static let troubles: [(name: String, answer: HTTPAnswer, message: String)] = [
    ("cut", HTTPAnswer(text: document).with(.close(after: 80)), "the answer is cut off after"),
    ("500", HTTPAnswer(500), "the server answers 500 (internal server error)"),
    ("404", HTTPAnswer(404), "the server answers 404 (not found)"),
    ("garbage", .raw("garbage\n"), "the answer is malformed: it is not HTTP"),
    ("circle", .redirect("/"), "the server redirects too many times"),
    ("file", .redirect("file:///etc/passwd"), "which is no address"),
    ("huge", huge, "the answer is longer than 8589934592 bytes"),
  ]

  private static var huge: HTTPAnswer {
    var answer = HTTPAnswer().with(.stall(after: 1000))
    answer.declaredLength = 10_000_000_000
    return answer
  }

  @Test(arguments: troubles.map(\.name))
  func `trouble with a server is exit code 69 and leaves the output as it was`(
    name: String
  ) throws {
    let trouble = try #require(Self.troubles.first { $0.name == name })
    try directory.write("", to: "default.sqlite")
    let server = try HTTPFaultServer(trouble.answer)
    let run = try seed(["build", server.url(), "--retries", "0"])
    #expect(run.status == 69)
    #expect(run.errorText.contains(trouble.message), "\(run.errorText)")
    #expect(run.errorText.hasPrefix("\(server.url()): error: "), "\(run.errorText)")
    #expect(try directory.bytes(of: "default.sqlite").isEmpty)
    #expect(try !directory.names.contains("seed.lock"))
  }

  @Test func `nobody at the address is exit code 69`() throws {
    let port = try HTTPFaultServer.closedPort()
    let run = try seed(["build", "http://127.0.0.1:\(port)/", "--retries", "0"])
    #expect(run.status == 69)
    #expect(run.errorText.contains("error: the server cannot be reached"))
  }

  @Test func `an error in a fetched document names its address`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "<a><b></a>"))
    let run = try seed(["build", server.url("/a.xml")])
    #expect(run.status == 65)
    #expect(run.errorText.hasPrefix("\(server.url("/a.xml")):1:7: error: "), "\(run.errorText)")
    #expect(try !directory.names.contains("seed.lock"))
  }

  @Test(arguments: [
    (["--header", "no colon"], "\"…\" is not a value of option \"--header\""),
    (["--retries", "many"], "\"many\" is not a value of option \"--retries\""),
  ])
  func `options about fetching are checked first`(options: [String], message: String) throws {
    let run = try seed(["build", "https://example.invalid/"] + options)
    #expect(run.status == 64)
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  @Test func `an address that makes no sense is wrong usage and shows no password`() throws {
    let run = try seed(["build", "https://me:hunter22@/x"])
    #expect(run.status == 64)
    #expect(run.errorText.contains("the address names no host"))
    #expect(!run.errorText.contains("hunter22"))
  }

  @Test func `addresses of a project are fetched with its secrets and locked beside it`()
    async throws
  {
    let server = try HTTPFaultServer { request, _ in
      switch request.target {
      case "/notes/1":
        HTTPAnswer(
          200, [("Link", "</notes/2>; rel=next")],
          text: request["x-key"] == "s3cr3t-key" ? "<a><note id='1' text='one'/></a>" : "")
      default: HTTPAnswer(text: "<a><note id='2' text='two'/></a>")
      }
    }
    try directory.makeDirectory("project")
    try directory.write(
      """
      { "output": "out.sqlite", "sources": [
        { "url": "\(server.url("/notes/1"))", "format": "xml",
          "headers": { "X-Key": { "env": "KEY" }, "Accept": "text/xml" } } ] }
      """, to: "project/seed.json")
    let run = try seed(
      ["build", "--config", "project/seed.json"], environment: ["KEY": "s3cr3t-key"])
    #expect(run.status == 0, "\(run.errorText)")
    let rows = try await Project.check(
      "query.py", [directory.path("project/out.sqlite"), "SELECT id, text FROM note ORDER BY 1"])
    #expect(rows.output == "1\t'one'\n2\t'two'\n")
    #expect(server.requests[0]["accept"] == "text/xml")
    let lock = try directory.text(of: "project/seed.lock")
    #expect(lock.contains("/notes/2") && !lock.contains("s3cr3t"))
    #expect(
      try seed(
        ["build", "--config", "project/seed.json", "--locked"],
        environment: ["KEY": "s3cr3t-key"]
      ).status == 0)
  }

  @Test func `a proxy is asked where the environment names one`() throws {
    let proxy = try HTTPFaultServer(HTTPAnswer(text: Self.document))
    let run = try seed(
      ["build", "http://example.invalid/Events.xml"], environment: ["http_proxy": proxy.url()])
    #expect(run.status == 0, "\(run.errorText)")
    #expect(proxy.requests.map(\.target) == ["http://example.invalid/Events.xml"])
  }

  @Test func `pages are inputs of their own, called by their addresses`() async throws {
    let server = try HTTPFaultServer { request, _ in
      request.target == "/1"
        ? HTTPAnswer(200, [("Link", "</2>; rel=next")], text: Self.document)
        : HTTPAnswer(text: Self.document)
    }
    #expect(try seed(["build", server.url("/1")]).status == 0)
    #expect(try await rows("SELECT count(*) FROM Event") == [["4"]])
    #expect(try directory.text(of: "seed.lock").contains(server.url("/2")))
  }

  @Test func `a document whose end is not declared is warned about`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.document).with(.untilClose))
    let run = try seed(["build", server.url()])
    #expect(run.status == 0)
    #expect(run.errorText.hasPrefix("\(server.url()): warning: the server does not say where"))
  }

  @Test(.enabled(if: NginxServer.isAvailable && TestCertificate.isAvailable, "needs nginx"))
  func `a certificate is trusted only when the environment names it`() throws {
    let certificate = try TestCertificate(in: directory)
    try directory.makeDirectory("root")
    try directory.write(Self.document, to: "root/Events.xml")
    let server = try NginxServer(root: directory.path("root"), certificate: certificate)
    let arguments = ["build", server.url("/Events.xml")]
    let untrusted = try seed(arguments)
    #expect(untrusted.status == 69)
    #expect(untrusted.errorText.contains("the server's certificate is not trusted"))
    let trusted = try seed(
      arguments, environment: ["SSL_CERT_FILE": certificate.certificatePath])
    #expect(trusted.status == 0, "\(trusted.errorText)")
  }

  @Test func `the server's encoding is taken, recorded and taken again without it`() async throws {
    let latin: [UInt8] = Array("place\nK".utf8) + [0xF6] + Array("ln\n".utf8)
    var file = ServedFile(latin)
    file.headers = [("Content-Type", "text/csv; charset=ISO-8859-1")]
    let url: String
    do {
      let server = try HTTPFaultServer { [file] request, _ in file.answer(to: request) }
      url = server.url("/town.csv")
      let run = try seed(["build", url])
      #expect(run.status == 0, "\(run.errorText)")
      #expect(run.errorText.isEmpty)
      #expect(try await rows("SELECT place FROM town") == [["'Köln'"]])
      let locked = try seed(["build", url, "--locked", "-o", "locked.sqlite"])
      #expect(locked.status == 0, "\(locked.errorText)")
    }
    let offline = try seed(["build", url, "--offline", "-o", "offline.sqlite"])
    #expect(offline.status == 0, "\(offline.errorText)")
    let bytes = try directory.bytes(of: "default.sqlite")
    #expect(try directory.bytes(of: "offline.sqlite") == bytes)
    #expect(try directory.bytes(of: "locked.sqlite") == bytes)
  }

  @Test func `a server that contradicts the document is told of, and a declared encoding rules`()
    async throws
  {
    var file = ServedFile(
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><r><a n='Köln'/></r>".utf8))
    file.headers = [("Content-Type", "text/xml; charset=utf-8")]
    let server = try HTTPFaultServer { [file] request, _ in file.answer(to: request) }
    let run = try seed(["build", server.url("/a.xml")])
    #expect(run.status == 0, "\(run.errorText)")
    #expect(
      run.errorText.contains(
        "warning: the server says that this is utf-8, which is taken, and the document declares "
          + "ISO-8859-1\nhint: say --encoding ISO-8859-1"))
    #expect(try await rows("SELECT n FROM a") == [["'Köln'"]])
    let other = try seed(["build", server.url("/a.xml"), "--encoding", "ISO-8859-1"])
    #expect(other.status == 0)
    #expect(other.errorText.isEmpty)
    #expect(try await rows("SELECT n FROM a") == [["'KÃ¶ln'"]])
  }

  @Test func `a project file begins with what an address has`() throws {
    var file = ServedFile(Array("[{\"id\": 1, \"day\": \"16.01.2010\"}]".utf8))
    file.headers = [("Content-Type", "application/json")]
    let server = try HTTPFaultServer { [file] request, _ in file.answer(to: request) }
    let url = server.url("/notes.json")
    let run = try seed(
      ["init", url, "--header", "Authorization: $TOKEN", "--header", "X-Client: ci"],
      environment: ["TOKEN": "secret"])
    #expect(run.status == 0, "\(run.errorText)")
    let text = try directory.text(of: "seed.json")
    #expect(text.contains("\"Authorization\": { \"env\": \"TOKEN\" }"))
    #expect(text.contains("\"X-Client\": \"ci\""))
    #expect(text.contains("\"type\": \"date\", \"format\": \"dd.MM.yyyy\""))
    #expect(!text.contains("secret"))
    #expect(server.requests.map { $0["authorization"] } == ["secret"])
    #expect(try seed(["build"], environment: ["TOKEN": "secret"]).status == 0)
    let mixed = try seed(
      ["init", url, "--header", "Authorization: Bearer $TOKEN", "-o", "b.json"],
      environment: ["TOKEN": "secret"])
    #expect(mixed.status == 0, "\(mixed.errorText)")
    let template = try directory.text(of: "b.json")
    #expect(
      template.contains("\"Authorization\": { \"template\": \"Bearer ${TOKEN}\" }"), "\(template)")
    #expect(!template.contains("secret"))
    #expect(
      try seed(["build", "--config", "b.json"], environment: ["TOKEN": "secret"]).status == 0)
    #expect(server.requests.last?["authorization"] == "Bearer secret")
  }

  @Test func `a project file is not begun from an address that answers nothing`() throws {
    let server = try HTTPFaultServer { _, _ in HTTPAnswer(404, []) }
    let run = try seed(["init", server.url("/a.xml"), "--retries", "0"])
    #expect(run.status == 69)
    #expect(run.errorText.contains("the server answers 404"))
    #expect(try !directory.names.contains("seed.json"))
  }
}
