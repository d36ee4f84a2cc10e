import SeedModel
import SeedPublisher
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCommand
@testable import SeedServer

@Suite struct ServeCommandTests {
  @Test(arguments: ["", "a b", "a\r\nb", "\u{FC}"])
  func `a token that no header can carry is a usage error`(token: String) {
    let capture = CapturedConsole()
    #expect(capture.run("serve", ".", "--token", token) == .usage)
    #expect(capture.error.contains("is not a value of option \"--token\""), "\(capture.error)")
  }

  @Test func `a directory has to be given`() {
    #expect(CapturedConsole().run("serve", "") == .usage)
  }

  @Test func `the plan of the example shows itself even on a small stream`() throws {
    let directory = try TemporaryDirectory()
    try Connection(path: directory.path("a.sqlite"), mode: .create).execute(
      "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)")
    #expect(
      CapturedConsole().run(
        "publish", directory.path("a.sqlite"), "--to", directory.path("public")) == .success)
    let example = try #require(
      ServeCommand.specification.examples.first { $0.contains("--fault ") })
    var options = ServerOptions()
    options.faults = try FaultPlan(String(example.split(separator: " ").last ?? ""))
    let server = try StreamServer(directory: directory.path("public"), options: options)
    let answers = try (0..<3).map { _ in
      try CommandRun.run(
        "/usr/bin/env", ["curl", "-s", "-w", "%{http_code}", server.url + "/main/v1/head.json"])
    }
    // Broken off, refused, late: the first of each three requests of a client is the head's.
    #expect(answers.map { $0.status == 0 } == [false, true, true])
    #expect(answers[1].text.hasSuffix("503"))
    #expect(answers[2].text.hasSuffix("200"))
  }

  @Test func `the addresses of the streams are those at which they are served`() throws {
    let directory = try TemporaryDirectory()
    let target = directory.path("public")
    try Connection(path: directory.path("a.sqlite"), mode: .create).execute(
      "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)")
    #expect(
      CapturedConsole().run(
        "publish", directory.path("a.sqlite"), "--to", target, "--stream", "catalog") == .success)
    let streams = try PublishedStreams.names(in: target)
    #expect(streams == ["catalog"])
    #expect(try PublishedStreams.names(in: directory.path).isEmpty)
    let server = try StreamServer(directory: target)
    let lines = ServeCommand.text(of: streams, at: server.url).split(separator: "\n")
    #expect(lines == ["\(server.url)/catalog/v1", "\(server.url)/v1/streams/catalog (--dynamic)"])
    for (line, options) in zip(lines, [[], ["--dynamic"]]) {
      let source = String(line.prefix { $0 != " " })
      let capture = CapturedConsole()
      let code = CommandLineTool.run(
        ["stream", directory.path("a.sqlite"), "--once", "--source", source] + options,
        on: capture.console)
      #expect(code == .success, "\(capture.error)")
    }
    let root = try CommandRun.run("/usr/bin/env", ["curl", "-s", server.url + "/"])
    #expect(root.text.contains("streams are at /NAME/v1/head.json and /v1/streams/NAME"))
    let bare = try CommandRun.run(
      "/usr/bin/env", ["curl", "-s", server.url + "/v1/streams/catalog"])
    #expect(bare.text.contains("clients say where they stand"))
  }

  @Test func `a line about a request shows what the protocol asks with, and no secret`() {
    let request = ServedRequest(
      method: "GET", target: "/v1/streams/s?epoch=1&token=geheim&wait=25", status: 200,
      byteCount: 3, duration: .zero)
    #expect(
      ServedRequestText.line(of: request)
        == "GET /v1/streams/s?epoch=1&token=***&wait=25 200, 3 bytes, 0 ms")
  }
}
