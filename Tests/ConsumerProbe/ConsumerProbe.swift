import Foundation
import HHFW
import SeedStore
import SeedStreams
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
      #expect(error.hint == "check the path of the seed, in an app that it is among the resources")
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

  @Test func `an app reads tables of a HyperHive server`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/app.sqlite"
    let client = HyperHiveClient(
      HyperHiveServer(host: "https://example.com", environment: "e", project: "p", device: "d"))
    var options = HyperHiveLoadOptions()
    options.extent = .changes
    options.isCachedByParameters = true
    options.parameters = "{}"
    options.retryCount = 1
    options.retryInterval = .milliseconds(1)
    options.resumes = true
    options.downloadFolder = folder.path
    do {
      // Nobody has logged in, so nothing is sent.
      let load = try await client.load("fruits", into: path, options: options)
      Issue.record("loaded \(load.changedRowCount) rows of version \(load.version ?? 0)")
    } catch let error as HyperHiveError {
      #expect(error.reason == .notAuthenticated)
      #expect(error.source == .core && error.code == 0)
      #expect(error.hint == "authenticate first")
      #expect(error.exchange == HyperHiveExchange())
    }
    let database = HyperHiveDatabase(path: path)
    #expect(try database.tableNames(ofResource: "fruits") == [])
  }

  @Test func `an app that knows HyperHive keeps its calls`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let parameters = RequestCallParams(defaultDb: ())
    parameters?.dataBasePath = folder.path + "/app.sqlite"
    parameters?.retryIntervalSec = 0.5
    let hhfw = HHFWController.sharedInstance()
    hhfw.openBase(folder.path + "/app.sqlite", key: "")
    var statuses: [String] = []
    hhfw.tableStream(
      "fruits", withCache: true, transactionID: nil, tableCallParams: parameters
    ) { statuses.append(($0 as? NSDictionary)?["status"] as? String ?? "") }
    #expect(statuses == ["error"])
    let result = hhfw.query(folder.path + "/app.sqlite", query: "SELECT 1 AS one")
    #expect(result?.contains("\"one\": 1") == true)
  }

  /// The screen of an app, whose every property belongs to the main actor.
  @MainActor private final class Screen {
    let hhfw = HHFWController.sharedInstance()
    var text = ""

    func load(_ path: String) {
      let parameters = TableCallParams(defaultDb: ())
      parameters?.dataBasePath = path
      hhfw.auth("guest", password: "password") { self.text += self.shown($0) }
      hhfw.resources(path) { self.text += self.shown($0) }
      hhfw.tableStream(
        "fruits", withCache: true, transactionID: nil, tableCallParams: parameters
      ) { response in
        self.text += self.shown(response)
      }
    }

    func loadLater(_ path: String, _ completion: @escaping () -> Void) {
      hhfw.tableStreamAsync(
        "fruits", withCache: true, transactionID: nil,
        tableCallParams: RequestCallParams(defaultDb: ())
      ) { response in
        self.text += self.shown(response)
        completion()
      }
    }

    private func shown(_ response: Any?) -> String {
      ((response as? NSDictionary)?["status"] as? String ?? "none") + " "
    }
  }

  @Test @MainActor func `a screen on the main actor calls it as it is`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let screen = Screen()
    screen.load(folder.path + "/app.sqlite")
    #expect(screen.text == "error error error ")
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
