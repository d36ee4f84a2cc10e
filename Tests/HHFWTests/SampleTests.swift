import Foundation
import SeedFiles
import TestSupport
import Testing

@testable import HHFW

/// The sample program in both of its forms, each run in a process of its own: it works with the one
/// controller of the app, and with the app's documents.
@Suite struct SampleTests {
  private static let rowCount = 3000

  private static var resource: HyperHiveResource {
    HyperHiveResource(
      "test_resource",
      HyperHiveResource.Table(
        "output_table",
        columns: [
          HyperHiveResource.Column("id", "BIGINT"), HyperHiveResource.Column("name", "TEXT"),
        ],
        rows: (1...rowCount).map { ["\($0)", #""row \#($0)""#] }))
  }

  private static let shown =
    "test_resource_37a6259cc0c1dae299a7866489dff0bd_output_table: \(rowCount) rows"

  /// Runs the sample.
  ///
  /// - Returns: What its text view shows at the end.
  private func run(
    _ server: HyperHiveTestServer, home: TemporaryDirectory, async isAsync: Bool
  ) async -> String {
    let password = server.change(\.password)
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      [
        host = server.host as String, home = home.path as String, password = password as String,
        isAsync = isAsync as Bool
      ] in
      setenv("CFFIXED_USER_HOME", home, 1)
      setenv("HOME", home, 1)
      let sample = TableStreamRetry(
        SampleSettings(host: host, password: password, retryIntervalSec: 0.005))
      if sample.prepare() {
        if isAsync {
          await withCheckedContinuation { continuation in
            sample.loadTableAsync { continuation.resume() }
          }
        } else {
          sample.loadTable()
        }
      }
      print("shown <\(sample.textView.text)>")
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    guard let start = output.range(of: "shown <"),
      let end = output.range(of: ">", options: .backwards)
    else { return output }
    return String(output[start.upperBound..<end.lowerBound])
  }

  @Test(arguments: [false, true])
  func `both forms load through ten cuts at random bytes and send no byte twice`(
    isAsync: Bool
  ) async throws {
    let server = try HyperHiveTestServer(Self.resource)
    let home = try TemporaryDirectory()
    let cuts = (0..<10).map { _ in Int.random(in: 0...8000) }
    server.change { $0.fault = { $0 < 10 ? .drop(after: cuts[$0]) : nil } }
    #expect(await run(server, home: home, async: isAsync) == Self.shown)
    var sent = 0
    for call in server.calls {
      #expect(call.start == sent, "\(cuts)")
      sent += call.sentByteCount
    }
    #expect(sent == Self.resource.whole.utf8.count)
  }

  @Test(arguments: [false, true])
  func `the eleventh cut is an error, and the next run goes on`(isAsync: Bool) async throws {
    let server = try HyperHiveTestServer(Self.resource)
    let home = try TemporaryDirectory()
    server.change { $0.fault = { $0 < 11 ? .drop(after: 3000) : nil } }
    let shown = await run(server, home: home, async: isAsync)
    #expect(shown.contains("cURL") && shown.contains("error"), "\(shown)")
    #expect(!shown.contains("secret-token"))
    #expect(server.calls.count == 11)
    #expect(await run(server, home: home, async: isAsync) == Self.shown)
    #expect(server.calls.last?.start == 33_000)
  }

  @Test func `the second run finds nothing new and shows the rows`() async throws {
    let server = try HyperHiveTestServer(Self.resource)
    let home = try TemporaryDirectory()
    #expect(await run(server, home: home, async: false) == Self.shown)
    #expect(await run(server, home: home, async: true) == Self.shown)
    #expect(server.calls.map(\.status) == [200, 304])
  }

  @Test(arguments: ["parts", "/Documents/parts/"])
  func `a download folder without a place lies in the documents`(spelling: String) async throws {
    let server = try HyperHiveTestServer(Self.resource)
    let home = try TemporaryDirectory()
    server.change { $0.fault = { _ in .drop(after: 3000) } }
    let password = server.change(\.password)
    await #expect(processExitsWith: .success) {
      [
        host = server.host as String, home = home.path as String, password = password as String,
        spelling = spelling as String
      ] in
      setenv("CFFIXED_USER_HOME", home, 1)
      setenv("HOME", home, 1)
      let hhfw = HHFWController.sharedInstance()
      hhfw.initWithCredentials(
        "v1", host: host, environment: "env", project: "project", device: "device")
      hhfw.auth("guest", password: password) { _ in }
      hhfw.setDownloadPath(spelling)
      hhfw.useDownload(true)
      hhfw.tableStream(
        "test_resource", withCache: false, transactionID: nil, tableCallParams: nil
      ) { _ in }
      let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
      let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/parts")
      precondition(parts.count == 2, "\(parts)")
    }
  }

  @Test func `the spellings of a path are one file`() async throws {
    let home = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [home = home.path as String] in
      setenv("CFFIXED_USER_HOME", home, 1)
      setenv("HOME", home, 1)
      let hhfw = HHFWController.sharedInstance()
      precondition(hhfw.openBase("a.sqlite", key: ""))
      let made = hhfw.query("/Documents/a.sqlite", query: "CREATE TABLE t(x)")
      precondition(made?.contains("\"ok\"") == true, made ?? "")
      let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
      precondition(folder.path.hasPrefix(home), folder.path)
      let path = folder.appendingPathComponent("a.sqlite").path
      for spelling in ["a.sqlite", "/Documents/a.sqlite", path] {
        let answer = hhfw.query(spelling, query: "SELECT count(*) AS n FROM t")
        precondition(answer?.contains("\"n\": 0") == true, answer ?? "")
      }
      for spelling in ["../a.sqlite", "/Documents/../a.sqlite", "", "b/../../a.sqlite"] {
        let answer = hhfw.query(spelling, query: "SELECT 1")
        precondition(answer?.contains("\"Core\"") == true, answer ?? "")
      }
    }
  }
}
