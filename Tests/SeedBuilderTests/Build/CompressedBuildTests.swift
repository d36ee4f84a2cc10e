import SeedFiles
import SeedFormat
import SeedModel
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct CompressedBuildTests {
  private let directory: TemporaryDirectory
  private let options: BuildOptions

  init() throws {
    directory = try TemporaryDirectory()
    let input = try directory.write("<a><b c='1'/><b c='2'/></a>", to: "a.xml")
    var options = BuildOptions(inputs: [.file(input)], output: directory.path("a.sqlite"))
    options.compresses = true
    self.options = options
  }

  @Test func `the packed form says which seed it is`() throws {
    _ = try Build.run(options)
    let facts = try #require(ArchiveFacts(archive: try directory.bytes(of: "a.sqlite.gz")))
    let digest = try FileSystem.live.digest(of: options.output)
    #expect(facts.sha256 == SHA256Digest.hexadecimal(digest.sha256))
    #expect(facts.byteCount == digest.byteCount)
    #expect(facts.name == "a")
    #expect(facts.contentSHA256?.utf8.count == 64)
    #expect(try directory.names == ["a.sqlite", "a.sqlite.gz", "a.xml"])
  }

  @Test func `the same inputs give the same bytes`() throws {
    _ = try Build.run(options)
    let first = try directory.bytes(of: "a.sqlite.gz")
    _ = try Build.run(options)
    #expect(try directory.bytes(of: "a.sqlite.gz") == first)
  }

  @Test func `an output without its packed form, or with another one, is not current`() throws {
    #expect(try Build.runIfChanged(options) != nil)
    #expect(try Build.runIfChanged(options) == nil)
    var other = options
    other.inputs = [
      BuildInput(.file(try directory.write("<r><v n='other'/></r>", to: "b.xml")), name: "b.xml")
    ]
    other.output = directory.path("b.sqlite")
    _ = try Build.run(other)
    try directory.write(try directory.bytes(of: "b.sqlite.gz"), to: "a.sqlite.gz")
    #expect(try Build.runIfChanged(options) != nil)
    try FileSystem.live.unlink(directory.path("a.sqlite.gz"))
    #expect(try Build.runIfChanged(options) != nil)
    #expect(try Build.runIfChanged(options) == nil)
  }

  @Test func `both companions come with the database`() throws {
    var options = options
    options.writesManifest = true
    _ = try Build.run(options)
    #expect(
      try directory.names == ["a.sqlite", "a.sqlite.gz", "a.sqlite.manifest.json", "a.xml"])
  }

  @Test func `a folder in the place of the packed form leaves the old database`() throws {
    _ = try Build.run(options)
    let before = try directory.bytes(of: "a.sqlite")
    try FileSystem.live.unlink(directory.path("a.sqlite.gz"))
    try directory.makeDirectory("a.sqlite.gz")
    try directory.write("<a><b c='3'/></a>", to: "a.xml")
    #expect(throws: BuildError.self) { try Build.run(options) }
    #expect(try directory.bytes(of: "a.sqlite") == before)
  }
}
