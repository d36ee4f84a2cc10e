import Foundation
import SeedFetch
import SeedTransport
import TestSupport
import Testing

/// What builds without the network take from a cache that has moved on since the lock was written.
@Suite struct LockedCacheTests {
  private let fixture: FetchFixture
  private let server: HTTPFaultServer
  private let lock: FetchLock

  /// Locks "old", after which the server has "new".
  init() throws {
    fixture = try FetchFixture()
    server = try HTTPFaultServer { request, number in
      ServedFile(Array((number == 0 ? "old" : "new").utf8), entityTag: "\"\(min(number, 1))\"")
        .answer(to: request)
    }
    lock = FetchLock([try fixture.fetch(server.url())])
  }

  private func text(_ change: (inout FetchOptions) -> Void) throws -> String {
    try fixture.text(try #require(try fixture.fetch(server.url(), change).pages.first))
  }

  @Test func `offline the locked document is taken, whatever was fetched since`() throws {
    #expect(try text { _ in } == "new")
    #expect(
      try text {
        $0.isOffline = true
        $0.lock = lock
      } == "old")
    #expect(
      try text {
        $0.isOffline = true
        $0.recorded = lock
      } == "old")
    #expect(server.requests.count == 2)
  }

  @Test func `offline without a lock the newest document is taken`() throws {
    #expect(try text { _ in } == "new")
    #expect(try text { $0.isOffline = true } == "new")
  }

  @Test func `a trial changes nothing for builds without the network`() throws {
    #expect(try text { $0.isTrial = true } == "new")
    #expect(try text { $0.isOffline = true } == "old")
  }

  @Test func `a trial fills an empty cache`() throws {
    try FileManager.default.removeItem(atPath: fixture.directory.path("cache"))
    #expect(try text { $0.isTrial = true } == "new")
    #expect(try text { $0.isOffline = true } == "new")
  }

  @Test func `a build that is not what is locked changes nothing for builds without the network`()
    throws
  {
    #expect(try fixture.failure(server.url()) { $0.lock = lock } != nil)
    #expect(try text { $0.isOffline = true } == "old")
  }

  @Test func `a locked document that the cache lacks is an error where the lock binds`() throws {
    #expect(try text { _ in } == "new")
    let sha256 = try #require(lock.sources[server.url()]?.first?.sha256)
    try fixture.directory.write("damaged", to: "cache/objects/\(sha256.prefix(2))/\(sha256)")
    let error = try fixture.failure(server.url()) {
      $0.isOffline = true
      $0.lock = lock
    }
    #expect(error == FetchError(.lockedNotCached, place: server.url()))
  }

  @Test func `a locked document that the cache lacks is replaced where the lock does not bind`()
    throws
  {
    #expect(try text { _ in } == "new")
    let sha256 = try #require(lock.sources[server.url()]?.first?.sha256)
    try fixture.directory.write("damaged", to: "cache/objects/\(sha256.prefix(2))/\(sha256)")
    let source = try fixture.fetch(server.url()) {
      $0.isOffline = true
      $0.recorded = lock
    }
    #expect(try fixture.text(source.pages[0]) == "new")
    #expect(lock.deviations(of: [source]).map(\.place) == [server.url()])
  }

  @Test func `a lock does not lead out of the cache`() throws {
    try fixture.directory.write("secret", to: "outside")
    let path = try fixture.directory.write(
      """
      { "format": 1, "sources": [{ "url": "\(server.url())", "pages": [
        { "url": "\(server.url())", "sha256": "../../outside", "size": 6 }] }] }
      """, to: "seed.lock")
    let lock = try FetchLock.read(path)
    let error = try fixture.failure(server.url()) {
      $0.isOffline = true
      $0.lock = lock
    }
    #expect(error?.reason == .lockedNotCached)
  }

  @Test func `offline all locked pages are taken`() throws {
    let pages = try HTTPFaultServer { request, number in
      let isFirst = request.target == "/a"
      let links = isFirst ? [(name: "Link", value: "</b>; rel=next")] : []
      return HTTPAnswer(200, links, text: "\(isFirst ? "one" : "two"), \(number / 2)")
    }
    let lock = FetchLock([try fixture.fetch(pages.url("/a"))])
    _ = try fixture.fetch(pages.url("/a"))
    let source = try fixture.fetch(pages.url("/a")) {
      $0.isOffline = true
      $0.lock = lock
    }
    #expect(try source.pages.map(fixture.text) == ["one, 0", "two, 0"])
    #expect(source.pages.map(\.displayName) == [pages.url("/a"), pages.url("/b")])
  }
}
