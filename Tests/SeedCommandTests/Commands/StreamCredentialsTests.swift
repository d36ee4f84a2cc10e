import Foundation
import SeedModel
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

/// What `seed stream` and `seed verify --published` tell a server about who asks, and tell nobody else.
@Suite struct StreamCredentialsTests {
  private static let secrets = ["geheim", "s3cret"]
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let connection = try Connection(path: directory.path("app.sqlite"), mode: .create)
    try CursorTables.create(on: connection)
    try connection.execute(
      """
      CREATE TABLE t(a INTEGER PRIMARY KEY);
      INSERT INTO _seed_stream VALUES ('s', 1, 2, 'x', NULL, '', 0);
      INSERT INTO _seed_stream_table VALUES ('s', 't', '["a"]', '["a"]')
      """)
    try connection.close()
  }

  /// Runs the program with a secret in its environment.
  private func seed(_ arguments: [String]) throws -> CommandRun {
    try CommandRun.run(
      Project.tool.path, arguments,
      environment: [
        "XDG_CACHE_HOME": directory.path("cache"), "PATH": "/usr/bin:/bin", "TOKEN": "geheim",
      ],
      directory: directory.path)
  }

  /// Fails when something that a user or a file gets has a secret in it.
  private func expectNoSecret(_ run: CommandRun) throws {
    for secret in Self.secrets {
      #expect(!run.text.contains(secret) && !run.errorText.contains(secret), "\(run.errorText)")
      let found = try CommandRun.run(
        "/usr/bin/env", ["grep", "-rl", secret, directory.path]
      ).text
      #expect(found == "", "\(secret) is kept in \(found)")
    }
  }

  private static let commands: [[String]] = [
    ["stream", "app.sqlite", "--once", "--retry-delay", "0", "--json", "--source"],
    ["stream", "app.sqlite", "--once", "--retry-delay", "0", "--json", "--dynamic", "--source"],
    ["verify", "app.sqlite", "--published"],
  ]

  @Test(arguments: commands, [401, 404, 500])
  func `a header has what the environment holds, and nobody else is told`(
    command: [String], status: Int
  ) throws {
    let server = try HTTPFaultServer(HTTPAnswer(status, text: "no"))
    let run = try seed(
      command + [
        server.url("/s/v1"), "--header", "Authorization: Bearer $TOKEN", "--header", "A: b",
      ])
    #expect(run.status != 0)
    let request = try #require(server.requests.first)
    #expect(request["authorization"] == "Bearer geheim")
    #expect(request["a"] == "b")
    try expectNoSecret(run)
  }

  @Test(arguments: commands, [401, 404, 500])
  func `user, password and query of an address go to the server and nowhere else`(
    command: [String], status: Int
  ) throws {
    let server = try HTTPFaultServer(HTTPAnswer(status, text: "no"))
    let run = try seed(
      command + ["http://me:s3cret@127.0.0.1:\(server.port)/s/v1?k=1&token=geheim"])
    #expect(run.status != 0)
    let request = try #require(server.requests.first)
    #expect(request["authorization"] == "Basic bWU6czNjcmV0")
    #expect(request.target.contains("?k=1&token=geheim"))
    #expect(command.contains("--dynamic") || request.target.hasPrefix("/s/v1/head.json?"))
    #expect("\(run.text)\(run.errorText)".contains("http://127.0.0.1:\(server.port)/s/v1"))
    try expectNoSecret(run)
  }

  @Test(arguments: commands)
  func `an address that is none is shown without its secrets`(command: [String]) throws {
    let run = try seed(command + ["http://me:s3cret@127.0.0.1:99999/s?token=geheim"])
    #expect(run.status == 64 || run.status == 69)
    #expect(run.errorText.contains("127.0.0.1:99999/s"))
    try expectNoSecret(run)
  }

  @Test(arguments: commands)
  func `nothing keeps the query of an address from which a head came`(command: [String]) throws {
    let head = """
      {"format":1,"stream":"s","epoch":1,"seq":2,"id":"x","schema":{"t":{"key":["a"],\
      "columns":{"a":"INTEGER"}}},"segments":[]}
      """
    let answer = HTTPAnswer(200, [("ETag", "\"1\"")], text: head)
    let server = try HTTPFaultServer(answer)
    try expectNoSecret(
      try seed(command + ["http://127.0.0.1:\(server.port)/s/v1?token=geheim"]))
  }

  @Test(arguments: commands)
  func `a header that cannot be sent is refused without its value`(command: [String]) throws {
    let url = "http://127.0.0.1:9/s/v1"
    let unset = try seed(command + [url, "--header", "Authorization: Bearer $NOT_SET"])
    #expect(unset.status == 64)
    #expect(unset.errorText.contains("the environment variable \"NOT_SET\" is not set"))
    let malformed = try seed(command + [url, "--header", "geheim"])
    #expect(malformed.status == 64)
    try expectNoSecret(malformed)
    let vain = try seed(command + ["public/s/v1", "--header", "A: b"])
    if !command.contains("--dynamic") {
      #expect(vain.status == 64)
      #expect(vain.errorText.contains("option \"--header\" is about"), "\(vain.errorText)")
    }
  }

  @Test func `what is nowhere is missing where it was said to be`() throws {
    let run = try seed(["verify", "app.sqlite", "--published", "no/where/"])
    #expect(run.status == 66)
    #expect(run.errorText.hasPrefix("no/where/head.json: error: there is no such file\n"))
    let stream = try seed(["stream", "app.sqlite", "--once", "--source", "no/where/"])
    #expect(stream.errorText.contains("there is no stream at no/where/head.json"))
  }

  @Test func `a hint about a server names no option that the command lacks`() throws {
    let port = try HTTPFaultServer.closedPort()
    let run = try seed(["verify", "app.sqlite", "--published", "http://127.0.0.1:\(port)/s/v1"])
    #expect(run.status == 69)
    #expect(run.errorText.hasSuffix("hint: check the address and the network\n"))
    let build = try seed(["build", "http://127.0.0.1:\(port)/a.xml", "--retries", "0"])
    #expect(build.errorText.contains("or build from the cache with --offline"))
  }
}
