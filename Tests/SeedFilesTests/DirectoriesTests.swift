import SeedFiles
import TestSupport
import Testing

@Suite struct DirectoriesTests {
  private let directory: TemporaryDirectory
  private let files = FileSystem.live

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `missing directories are created for their owner alone`() throws {
    let path = directory.path("a/b/c")
    try files.createDirectories(path)
    try files.createDirectories(path)
    let status = try #require(try files.status(path))
    #expect(status.kind == .directory)
    #expect(status.permissions & 0o077 == 0)
  }

  @Test func `a file in the place of a directory is an error`() throws {
    try directory.write("x", to: "a")
    #expect(throws: FileError.self) { try files.createDirectories(directory.path("a")) }
    #expect(throws: FileError.self) { try files.createDirectories(directory.path("a/b")) }
  }

  @Test func `a small file is read whole and a long one to the limit`() throws {
    let path = try directory.write("abcdef", to: "a")
    #expect(try files.contents(of: path, limit: 100) == Array("abcdef".utf8))
    #expect(try files.contents(of: path, limit: 3) == Array("abc".utf8))
    #expect(try files.contents(of: directory.path("none"), limit: 3) == nil)
  }

  @Test func `a file opened for its end keeps what it has`() throws {
    let path = try directory.write("abc", to: "a")
    for name in [path, directory.path("new")] {
      let descriptor = try files.open(name, .append(permissions: 0o600))
      try Array("def".utf8).withUnsafeBytes { try files.writeAll(descriptor, name, $0) }
      files.close(descriptor)
    }
    #expect(try directory.text(of: "a") == "abcdef")
    #expect(try directory.text(of: "new") == "def")
    try directory.link("link", to: path)
    #expect(throws: FileError.self) {
      try files.open(directory.path("link"), .append(permissions: 0o600))
    }
  }

  @Test func `the digest of a file is that of its bytes`() throws {
    let path = try directory.write("abc", to: "a")
    let digest = try #require(try FileDigest.sha256(of: path))
    #expect(
      digest.hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(digest.byteCount == 3)
    #expect(try FileDigest.sha256(of: directory.path("none")) == nil)
  }
}
