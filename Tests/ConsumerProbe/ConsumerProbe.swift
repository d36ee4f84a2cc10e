import Foundation
import SeedStore
import Testing

/// Uses the library as an app does: its public names and nothing else.
@Suite struct ConsumerProbe {
  private func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("seed-probe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  @Test func `an app handles every error by its step, reason and hint`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(SeedError) {
      _ = try SeedDatabase.install(
        Seed(path: folder.path + "/none.sqlite"), at: folder.path + "/app.sqlite")
      Issue.record("installed")
    } catch {
      #expect(error.step == .checkSource)
      #expect(error.reason == .sourceMissing)
      #expect(error.errno == nil)
      #expect(error.hint == "check that the seed is among the app's resources")
      #expect(error.description.hasSuffix("none.sqlite: there is no such seed (checkSource)"))
    }
  }

  @Test func `every outcome can be told from the others`() {
    func words(_ outcome: InstallOutcome) -> String {
      switch outcome {
      case .installed(let method): "installed by \(method.rawValue)"
      case .alreadyCurrent: "current"
      case .lostRace: "lost race"
      case .kept(let seed): "kept, \(seed.version ?? "no version")"
      case .replaced(let backup): "replaced, \(backup)"
      case .merged(let rows, let backup):
        "merged, \(rows.inserted + rows.updated + rows.deleted) of \(rows.unchanged), \(backup)"
      case .repaired(let from): "repaired, \(from)"
      }
    }
    #expect(words(.installed(by: .reflink)) == "installed by reflink")
    #expect(
      words(
        .merged(MergedRows(inserted: 1, updated: 2, deleted: 3, unchanged: 4), backup: "b"))
        == "merged, 6 of 4, b")
    #expect(words(.kept(newerSeed: SeedIdentity(version: "2"))) == "kept, 2")
  }

  @Test func `the options of an app compile`() async throws {
    var options = InstallOptions(policy: .replaceIfPristine)
    #expect(InstallOptions(policy: .merge).policy.rawValue == "merge")
    options.verification = .full
    options.durability = .barrier
    options.journalMode = .wal
    options.repair = true
    options.permissions = 0o640
    options.protection = .untilFirstUnlock
    options.isExcludedFromBackup = true
    options.lockTimeout = .seconds(5)
    options.prepare = { _ in }
    options.progress = { _ in }
    let cancellation = InstallCancellation()
    cancellation.cancel()
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = Seed(
      path: folder.path + "/none.sqlite",
      manifest: .given(SeedManifest(sha256: "", byteCount: 0)))
    #expect(throws: SeedError.self) {
      try SeedDatabase.install(
        seed, at: folder.path + "/a.sqlite", options: options, cancellation: cancellation)
    }
    await #expect(throws: SeedError.self) {
      try await SeedDatabase.install(seed, at: folder.path + "/a.sqlite", options: options)
    }
    #expect(throws: SeedError.self) { try SeedDatabase.readOnlyURI(for: seed) }
    #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: folder.appendingPathComponent("a.sqlite"))
    }
    #expect(throws: Never.self) {
      try SeedDatabase.discardPrevious(at: folder.path + "/a.sqlite", lockTimeout: .seconds(1))
    }
    #expect(throws: SeedError.self) { try SeedManifest(json: Array("{}".utf8)) }
  }

  @Test func `forms with URLs lead to those with paths`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = Seed(url: folder.appendingPathComponent("a b.sqlite"))
    #expect(seed.path == folder.path + "/a b.sqlite")
    #expect(throws: SeedError.self) {
      try SeedDatabase.install(seed, at: folder.appendingPathComponent("b.sqlite"))
    }
    #expect(throws: SeedError.self) { try Seed(resource: "no such resource") }
    let place = try SeedDatabase.applicationSupportURL("shop")
    #expect(place.path.hasSuffix("/shop/shop.sqlite"))
  }
}
