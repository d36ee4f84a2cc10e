import SeedFiles
import SeedFormat
import SeedModel
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct CompressedBuildTests {
  let directory: TemporaryDirectory
  let options: BuildOptions

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

  @Test func `a packed form that is damaged behind its header is not current`() throws {
    _ = try Build.runIfChanged(options)
    let whole = try directory.bytes(of: "a.sqlite.gz")
    var flipped = whole
    flipped[whole.count - 20] ^= 1
    var wrongSum = whole
    wrongSum[whole.count - 5] ^= 1
    for bytes in [flipped, wrongSum, Array(whole.dropLast(9)), whole + [0]] {
      try directory.write(bytes, to: "a.sqlite.gz")
      #expect(try Build.runIfChanged(options) != nil)
      #expect(try directory.bytes(of: "a.sqlite.gz") == whole)
    }
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

  @Test(arguments: ["a.sqlite.gz", "a.sqlite.manifest.json"])
  func `a file of another kind in the place of a companion is kept`(name: String) throws {
    var options = options
    options.writesManifest = true
    try directory.write("mine", to: name)
    let error = #expect(throws: BuildError.self) { try Build.run(options) }
    #expect(error?.diagnostics.first?.message.contains("\(name): exists and is not") == true)
    #expect(try directory.names == [name, "a.xml"].sorted())
    #expect(try directory.text(of: name) == "mine")
  }

  @Test(arguments: [false, true])
  func `what a killed build left of any companion goes with the next build`(
    hasCompanions: Bool
  ) throws {
    let names = [
      ".a.sqlite.seed-1-1", ".a.sqlite.seed-1-1-journal", ".a.sqlite.gz.seed-1-2",
      ".a.sqlite.manifest.json.seed-1-3",
    ]
    for name in names { try directory.write("half", to: name) }
    try directory.write("other", to: ".b.sqlite.gz.seed-1-2")
    var options = options
    options.compresses = hasCompanions
    options.writesManifest = hasCompanions
    _ = try Build.run(options)
    let companions = hasCompanions ? ["a.sqlite.gz", "a.sqlite.manifest.json"] : []
    #expect(
      try directory.names
        == ([".b.sqlite.gz.seed-1-2", "a.sqlite", "a.xml"] + companions).sorted())
  }

  @Test func `only a packed form of this tool or an empty file is replaced`() throws {
    var packed: [UInt8] = []
    Array("precious".utf8).withUnsafeBytes { bytes in
      GzipDeflation(name: "t.csv").deflate(bytes, isLast: true) { packed += $0 }
    }
    for bytes in [packed, Array("precious".utf8)] {
      try directory.write(bytes, to: "a.sqlite.gz")
      let error = #expect(throws: BuildError.self) { try Build.run(options) }
      #expect(error?.reason == .cannotCreate)
      let message = error?.diagnostics.first?.message
      #expect(message?.contains("exists and is not a database packed by seed") == true)
      #expect(try directory.bytes(of: "a.sqlite.gz") == bytes)
      #expect(try directory.names == ["a.sqlite.gz", "a.xml"])
    }
    try directory.write([], to: "a.sqlite.gz")
    _ = try Build.run(options)
    #expect(ArchiveFacts(archive: try directory.bytes(of: "a.sqlite.gz")) != nil)
    _ = try Build.run(options)
  }
}
