import Foundation
import SeedModel
import SeedSQLite
import SeedTransport
import TestSupport

@testable import SeedStreams

/// A HyperHive server with a client that has logged in, and a database to fill.
struct HyperHiveBench {
  let server: HyperHiveTestServer
  let client: HyperHiveClient
  let directory: TemporaryDirectory
  let clock = WaitLog()

  static let resource = HyperHiveResource(
    "fruits",
    HyperHiveResource.Table(
      "list",
      columns: [
        HyperHiveResource.Column("id", "BIGINT", isKey: true),
        HyperHiveResource.Column("price", "DOUBLE"), HyperHiveResource.Column("name", "TEXT"),
      ],
      rows: [["1", "0.5", #""apple""#], ["2", "2", #""p\u00ear""#], ["3", "null", #""ki\"wi""#]]))

  init(
    _ resource: HyperHiveResource = Self.resource, limits: HTTPLimits = HTTPLimits()
  ) throws {
    server = try HyperHiveTestServer(resource)
    directory = try TemporaryDirectory()
    client = HyperHiveClient(
      HyperHiveServer(
        host: server.host, environment: "env", project: "project", device: "device"),
      transport: StandardTransport.make(), clock: clock.clock, limits: limits)
    _ = try client.authenticate(
      user: "guest", password: server.change(\.password), cancellation: HTTPCancellation())
  }

  var database: String { directory.path("app.sqlite") }
  var downloads: String { directory.path("downloads") }

  @discardableResult
  func loadSchema() throws -> HyperHiveLoad {
    try client.loadSchema(into: database, cancellation: HTTPCancellation())
  }

  @discardableResult
  func load(
    _ resource: String = "fruits", _ change: (inout HyperHiveLoadOptions) -> Void = { _ in }
  ) throws -> HyperHiveLoad {
    var options = HyperHiveLoadOptions()
    options.downloadFolder = downloads
    change(&options)
    return try client.load(
      resource, into: database, options: options, cancellation: HTTPCancellation())
  }

  /// The error of a load; nil if it succeeds.
  func failure(
    _ resource: String = "fruits", _ change: (inout HyperHiveLoadOptions) -> Void = { _ in }
  ) throws -> HyperHiveError? {
    do {
      try load(resource, change)
      return nil
    } catch let error as HyperHiveError {
      return error
    }
  }

  /// All rows of a table as text, in the order of the first column.
  func rows(_ table: String = "fruits_list") throws -> [String] {
    try HyperHiveDatabase(path: database).run(
      "SELECT * FROM \(SQLiteName.quoted(table)) ORDER BY 1"
    ).records.map { record in
      guard case .object(let members) = record else { return "" }
      return members.map { member -> String in
        switch member.value {
        case .null: return "NULL"
        case .integer(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .string(let text): return text
        default: return "?"
        }
      }.joined(separator: "|")
    }
  }

  /// What is left in the download folder.
  var leftovers: [String] {
    get throws {
      FileManager.default.fileExists(atPath: downloads)
        ? try FileManager.default.contentsOfDirectory(atPath: downloads).sorted() : []
    }
  }
}

/// A clock that waits for nothing and remembers how long it should have waited.
///
/// `@unchecked` is safe: the lock guards the waits.
final class WaitLog: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [Duration] = []

  var waits: [Duration] { lock.withLock { kept } }

  var clock: RetryClock {
    RetryClock(
      wait: { duration, _ in self.lock.withLock { self.kept.append(duration) } },
      fraction: { 0 })
  }
}
