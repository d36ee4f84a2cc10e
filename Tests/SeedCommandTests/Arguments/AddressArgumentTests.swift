import Foundation
import TestSupport
import Testing

@testable import SeedCommand

/// What is meant as an address and is none, in each command that takes one.
@Suite struct AddressArgumentTests {
  private let directory: TemporaryDirectory
  private let database: String

  init() throws {
    directory = try TemporaryDirectory()
    let input = try directory.write("id,v\n1,a\n", to: "t.csv")
    database = directory.path("app.sqlite")
    try #require(CapturedConsole().run("build", input, "-o", database) == .success)
    try #require(
      CapturedConsole().run("publish", database, "--to", directory.path("public")) == .success)
  }

  private static let addresses = [
    "http://", "https:///x", "ftp://example.com/a", "https://a:99999/", "htps://x/y", "http:/x",
    "https:example.com", "foo://", "file:///tmp", "http://[zz]/", "http://a b/", "://x",
    " http://x/", "s3://bucket/x",
  ]

  @Test(arguments: addresses)
  func `an address that cannot be fetched is a mistake of the command line`(address: String) {
    for arguments in [
      ["stream", database, "--once", "--source", address],
      ["stream", database, "--once", "--dynamic", "--source", address],
      ["verify", database, "--published", address],
      ["publish", database, "--to", address],
      ["build", address, "-o", directory.path("new.sqlite")], ["init", address],
    ] {
      let capture = CapturedConsole()
      #expect(CommandLineTool.run(arguments, on: capture.console) == .usage, "\(arguments)")
      #expect(capture.error.contains("hint: "), "\(arguments): \(capture.error)")
      #expect(capture.output == "")
    }
  }

  @Test func `a secret in such an address is not shown`() {
    let capture = CapturedConsole()
    #expect(
      capture.run(
        "stream", database, "--once", "--source", "https://me:s3cr3t@h:0/x?key=k3y") == .usage)
    #expect(!capture.error.contains("s3cr3t") && !capture.error.contains("k3y"), "\(capture.error)")
    #expect(capture.error.contains("the port in the address is no number from 1 to 65535"))
  }

  @Test func `a dynamic source is an address`() {
    let capture = CapturedConsole()
    #expect(
      capture.run("stream", database, "--once", "--dynamic", "--source", "public") == .usage)
    #expect(capture.error.contains("the address does not begin with \"https://\""))
  }

  @Test(arguments: ["with a:colon", "50% off", "größe ✓", "a//b", "x:/y"])
  func `a path with any characters is a path`(name: String) throws {
    let folder = directory.path(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for arguments in [
      ["publish", database, "--to", folder + "/new", "--new-epoch"],
      ["verify", database, "--published", folder + "/new"],
      ["stream", database, "--once", "--source", folder + "/new"],
    ] {
      let capture = CapturedConsole()
      let code = CommandLineTool.run(arguments, on: capture.console)
      #expect(code == .success, "\(arguments): \(capture.error)\(capture.output)")
    }
  }
}
