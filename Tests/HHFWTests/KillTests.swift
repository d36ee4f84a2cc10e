import Foundation
import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import HHFW

/// Loads whose process is killed at a random moment: the next one completes.
@Suite struct KillTests {
  private static let rowCount = 40_000

  private static var resource: HyperHiveResource {
    HyperHiveResource(
      "r",
      HyperHiveResource.Table(
        "t",
        columns: [
          HyperHiveResource.Column("id", "BIGINT", isKey: true),
          HyperHiveResource.Column("name", "TEXT"),
        ], rows: (1...rowCount).map { ["\($0)", #""row \#($0)""#] }))
  }

  /// How many moments are tried; `SEED_KILLS` asks for more.
  private static var count: Int {
    ProcessInfo.processInfo.environment["SEED_KILLS"].flatMap { Int($0) } ?? 6
  }

  private static func load(
    _ controller: HHFWController, host: String, password: String, folder: String
  ) -> NSDictionary? {
    controller.initWithCredentials(
      "v1", host: host, environment: "env", project: "project", device: "d")
    controller.auth("guest", password: password) { _ in }
    controller.setDownloadPath(folder + "/downloads")
    controller.useDownload(true)
    let parameters = RequestCallParams(defaultDb: ())
    parameters?.dataBasePath = folder + "/app.sqlite"
    var result: NSDictionary?
    controller.tableStream(
      "r", withCache: false, transactionID: nil, tableCallParams: parameters
    ) { result = $0 as? NSDictionary }
    return result
  }

  @Test func `a load that is killed anywhere is completed by the next one`() async throws {
    let server = try HyperHiveTestServer(Self.resource)
    let password = server.change(\.password)
    let whole = try TemporaryDirectory()
    let start = DispatchTime.now().uptimeNanoseconds
    _ = Self.load(HHFWController(), host: server.host, password: password, folder: whole.path)
    let span = (DispatchTime.now().uptimeNanoseconds - start) * 3 / 2
    for number in 0..<Self.count {
      let directory = try TemporaryDirectory()
      // In thirds: every phase of a load gets its share, by chance within.
      let delay = UInt64.random(in: 0...span)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          host = server.host as String, password = password as String,
          folder = directory.path as String, delay = delay as UInt64
        ] in
        let thread = Thread {
          var time = timespec(
            tv_sec: Int(delay / 1_000_000_000), tv_nsec: Int(delay % 1_000_000_000))
          nanosleep(&time, nil)
          kill(getpid(), SIGKILL)
        }
        thread.start()
        _ = Self.load(HHFWController(), host: host, password: password, folder: folder)
        kill(getpid(), SIGKILL)
      }
      try check(directory, "kill \(number) after \(delay) ns")
      let result = Self.load(
        HHFWController(), host: server.host, password: password, folder: directory.path)
      #expect(result?["status"] as? String == "ok", "kill \(number) after \(delay) ns")
      let connection = try Connection(path: directory.path("app.sqlite"), mode: .readOnly)
      #expect(try connection.scalarInteger("SELECT count(*) FROM r_t") == Int64(Self.rowCount))
      #expect(try connection.scalarText("PRAGMA integrity_check") == "ok")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: directory.path("downloads")) == [])
    }
  }

  @Test func `processes that load the same tables at once all succeed`() async throws {
    let server = try HyperHiveTestServer(Self.resource)
    let password = server.change(\.password)
    server.change {
      $0.keepsTokens = true
      $0.fault = { $0 < 3 ? .slow(byteCount: 200_000, pauseMilliseconds: 10) : nil }
    }
    let directory = try TemporaryDirectory()
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [
              host = server.host as String, password = password as String,
              folder = directory.path as String
            ] in
            let result = Self.load(
              HHFWController(), host: host, password: password, folder: folder)
            exit(result?["status"] as? String == "ok" ? 0 : 1)
          }
        }
      }
    }
    try check(directory, "three processes")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("downloads")) == [])
  }

  /// Rows and version are those before the load or those after it.
  private func check(_ directory: TemporaryDirectory, _ moment: String) throws {
    guard FileManager.default.fileExists(atPath: directory.path("app.sqlite")) else { return }
    let connection = try Connection(path: directory.path("app.sqlite"), mode: .readWrite)
    let hasTable =
      try connection.scalarInteger("SELECT 1 FROM sqlite_schema WHERE name = 'r_t'") != nil
    let rows = hasTable ? try connection.scalarInteger("SELECT count(*) FROM r_t") ?? 0 : 0
    let version =
      hasTable ? try connection.scalarInteger("SELECT version FROM _seed_hyperhive") : nil
    #expect(
      rows == 0 && version == nil || rows == Int64(Self.rowCount) && version == 1, "\(moment)")
  }
}
