import SeedFetch
import TestSupport
import Testing

@Suite struct FetchLockTests {
  private static func source(_ url: String, _ digests: String...) -> FetchedSource {
    FetchedSource(
      displayName: url,
      pages: digests.enumerated().map { index, digest in
        FetchedPage(
          path: "p", displayName: index == 0 ? url : "\(url)?page=\(index + 1)", sha256: digest,
          byteCount: Int64(index))
      })
  }

  @Test func `the file is sorted and read back as it was`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("seed.lock")
    let (a, b) = (Self.source("https://a/", "1", "2"), Self.source("https://b/", "3"))
    try FetchLock([b, a]).write(to: path)
    let text = try directory.text(of: "seed.lock")
    try FetchLock([a, b]).write(to: path)
    #expect(try directory.text(of: "seed.lock") == text)
    #expect(
      text.hasPrefix(
        """
        {
          "format": 1,
          "sources": [
            {
              "url": "https://a/",
              "pages": [
                {
                  "url": "https://a/",
                  "sha256": "1",
                  "size": 0
                },
        """))
    #expect(try FetchLock.read(path) == FetchLock([a, b]))
    #expect(try directory.names == ["seed.lock"])
  }

  @Test func `a new record replaces that of the same source and leaves the others`() throws {
    var lock = FetchLock([Self.source("https://a/", "1", "2"), Self.source("https://b/", "3")])
    lock.record([Self.source("https://a/", "4")])
    #expect(lock == FetchLock([Self.source("https://a/", "4"), Self.source("https://b/", "3")]))
  }

  @Test func `sources that differ in their headers alone are all recorded`() throws {
    let lock = FetchLock([Self.source("https://a/", "1"), Self.source("https://a/", "2")])
    #expect(lock.sources["https://a/"]?.map(\.sha256) == ["1", "2"])
    try lock.check([Self.source("https://a/", "1"), Self.source("https://a/", "2")])
  }

  @Test func `the server's encoding is recorded and is no difference`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("seed.lock")
    var source = Self.source("https://a/", "1")
    try FetchLock([source]).write(to: path)
    #expect(try !directory.text(of: "seed.lock").contains("charset"))
    source.pages[0].charset = "ISO-8859-1"
    try FetchLock([source]).write(to: path)
    let lock = try #require(try FetchLock.read(path))
    #expect(lock.sources["https://a/"]?.map(\.charset) == ["ISO-8859-1"])
    source.pages[0].charset = nil
    try lock.check([source])
  }

  @Test(arguments: ["SQLite format 3\0", "{}", "{\"format\": 1}"])
  func `a file that is no lock file is not replaced by one`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "seed.lock")
    let error = #expect(throws: FetchError.self) {
      try FetchLock([Self.source("https://a/", "1")]).write(to: path)
    }
    #expect(error?.message == "exists and is not a lock file of seed")
    #expect(try directory.text(of: "seed.lock") == text)
  }

  @Test func `a difference names the address and both digests`() throws {
    let lock = FetchLock([Self.source("https://a/", "1", "2")])
    try lock.check([Self.source("https://a/", "1", "2")])
    let error = #expect(throws: FetchError.self) {
      try lock.check([Self.source("https://a/", "1", "9")])
    }
    #expect(
      error.map { "\($0)" }
        == "https://a/?page=2: the document is not the locked one: expected 2 (1 bytes), got 9 (1 bytes)"
    )
    #expect(throws: FetchError(.notLocked, place: "https://c/")) {
      try lock.check([Self.source("https://c/", "1")])
    }
    let fewer = FetchError.LockDifference.pageCount(expected: 2, got: 1)
    #expect(throws: FetchError(.lockDiffers(fewer), place: "https://a/")) {
      try lock.check([Self.source("https://a/", "1")])
    }
  }

  @Test(arguments: [
    "", "[]", "{\"format\": 2, \"sources\": []}", "{\"format\": 1, \"sources\": [{}]}",
  ])
  func `what is no lock file is an error`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "seed.lock")
    let error = #expect(throws: FetchError.self) { try FetchLock.read(path) }
    guard case .lockMalformed? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try FetchLock.read(directory.path("none")) == nil)
  }
}
