import Foundation
import SeedModel
import SeedServer
import SeedStreams
import TestSupport
import Testing

@Suite struct StaticFilesTests {
  private let history: ServedHistory
  private let routes: ServerRoutes

  init() throws {
    history = try ServedHistory()
    try history.publish([1: "Anvil", 2: "Rope"])
    routes = ServerRoutes(directory: history.path, options: ServerOptions())
  }

  private var segment: SegmentEntry { history.head.segments[0] }
  private var object: String { "/catalog/v1/\(StreamLayout.object(segment.sha256))" }

  @Test func `the head may be kept for half a minute`() throws {
    let answer = routes.get("/catalog/v1/head.json")
    #expect(answer.status == 200)
    #expect(
      answer.header("Cache-Control")
        == "public, max-age=30, stale-while-revalidate=60, stale-if-error=86400")
    #expect(answer.header("Content-Type") == "application/json")
    #expect(try answer.bytes() == history.head.encoded)
  }

  @Test func `a head that is known is not sent again, until it changes`() throws {
    let tag = try #require(routes.get("/catalog/v1/head.json").header("ETag"))
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let answer = routes.get("/catalog/v1/head.json", ["if-none-match": known])
      #expect(answer.status == 304)
      #expect(answer.header("ETag") == tag)
      #expect(try answer.bytes().isEmpty)
    }
    try history.publish([3: "Saw"])
    #expect(routes.get("/catalog/v1/head.json", ["if-none-match": tag]).status == 200)
  }

  @Test func `an object may be kept for ever`() throws {
    let answer = routes.get(object)
    #expect(answer.status == 200)
    #expect(
      answer.header("Cache-Control") == "public, max-age=31536000, immutable, no-transform")
    #expect(answer.header("Content-Type") == "application/octet-stream")
    #expect(answer.header("Accept-Ranges") == "bytes")
    #expect(answer.body.byteCount == segment.size)
    let bytes = try answer.bytes(pieceLimit: 7)
    #expect(Int64(bytes.count) == segment.size)
    #expect(
      try bytes == [UInt8](Data(contentsOf: URL(fileURLWithPath: history.object(segment.sha256)))))
  }

  @Test func `the rest of an object from every byte on`() throws {
    let whole = try routes.get(object).bytes()
    for offset in 0..<whole.count {
      let answer = routes.get(object, ["range": "bytes=\(offset)-"])
      #expect(answer.status == 206)
      #expect(
        answer.header("Content-Range") == "bytes \(offset)-\(whole.count - 1)/\(whole.count)")
      #expect(try answer.bytes() == Array(whole[offset...]))
    }
    let behind = routes.get(object, ["range": "bytes=\(whole.count)-"])
    #expect(behind.status == 416)
    #expect(behind.header("Content-Range") == "bytes */\(whole.count)")
    #expect(behind.header("Cache-Control") == "no-store")
  }

  @Test func `the rest is sent only to those who have the beginning`() throws {
    let tag = try #require(routes.get(object).header("ETag"))
    #expect(routes.get(object, ["range": "bytes=5-", "if-range": tag]).status == 206)
    #expect(routes.get(object, ["range": "bytes=5-", "if-range": "\"other\""]).status == 200)
  }

  @Test(arguments: [
    "/", "/catalog", "/catalog/v1", "/catalog/v1/o", "/catalog/v1/secret", "/catalog/v1/new",
    "/catalog/x1/head.json", "/catalog/v2/head.json", "/nothing/v1/head.json",
    "/catalog/v1/o/aa/aa", "/catalog/v1/head.json/x", "/v1/streams", "/favicon.ico",
  ])
  func `nothing but heads and objects is served`(target: String) throws {
    try history.directory?.write("secret", to: "catalog/v1/secret")
    let answer = routes.get(target)
    #expect(answer.status == 404)
    #expect(answer.header("Cache-Control") == "no-store")
    #expect(try answer.document()["status"] == 404)
  }

  @Test func `a link and a pipe in the place of an object are not followed`() throws {
    let name = String(repeating: "ab", count: 32)
    let path = history.object(name)
    try history.directory?.makeDirectory("catalog/v1/o/ab")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    #expect(routes.get("/catalog/v1/o/ab/\(name)").status >= 400)
    try FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(routes.get("/catalog/v1/o/ab/\(name)").status == 404)
  }

  @Test(arguments: ["/catalog/../v1/head.json", "/%2e%2e/v1/head.json", "/catalog/v1/%00"])
  func `a path that leads out of the directory is a bad request`(target: String) {
    #expect(routes.get(target).status == 400)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "", "get"])
  func `other methods are not allowed`(method: String) {
    let answer = routes.get("/catalog/v1/head.json", method: method)
    #expect(answer.status == 405)
    #expect(answer.header("Allow") == "GET, HEAD")
  }

  @Test func `a token that is asked for has to be the right one`() {
    var options = ServerOptions()
    options.token = "secret"
    let routes = ServerRoutes(directory: history.path, options: options)
    for value in [
      nil, "secret", "Bearer secre", "Bearer secrets", "Bearer ", "Bearer", "bearer x",
      "bearer SECRET", "Basic secret", "",
    ] {
      let headers = value.map { ["authorization": $0] } ?? [:]
      for target in ["/catalog/v1/head.json", history.position(at: 1).target()] {
        let answer = routes.get(target, headers)
        #expect(answer.status == 401)
        #expect(answer.header("WWW-Authenticate") == "Bearer")
      }
    }
    // The name of the scheme may be in any case, the token may not.
    for value in ["Bearer secret", "bearer secret", "BEARER  secret"] {
      #expect(routes.get("/catalog/v1/head.json", ["authorization": value]).status == 200)
    }
  }
}
