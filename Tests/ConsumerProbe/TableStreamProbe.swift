import Foundation
import SeedStreams
import Testing

/// Uses streams as an app does: their public names and nothing else.
@Suite struct TableStreamProbe {
  private var options: StreamOptions {
    var options = StreamOptions()
    options.credentials = { request in
      ["Authorization": request.isRefused ? "Bearer new" : "Bearer \(request.stream)"]
    }
    options.trustedKeys = []
    options.declaring = [
      StreamTableDeclaration(table: "product", key: ["id"], columns: ["id", "weight"])
    ]
    options.cacheDirectory = FileManager.default.temporaryDirectory.path
    options.retryDelay = .milliseconds(1)
    options.attempts = 1
    options.firstPollDelay = .zero
    options.pollInterval = .seconds(60)
    return options
  }

  @Test func `an app handles the errors of a stream by their reasons`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/no-such-\(UUID().uuidString)"
    let stream = TableStream(
      "catalog", database: path, from: .static("https://cdn.example/catalog/v1"), options: options)
    #expect(stream.name == "catalog")
    #expect(stream.databasePath == path)
    let error = try await #require(throws: StreamError.self) { try await stream.sync() }
    #expect(error.reason == .noDatabase(path: path))
    #expect(error.kind == "noDatabase")
    #expect(error.phase == .opening)
    #expect(error.position == nil)
    #expect(error.hint == "install the database first")
    #expect(error.description == "stream \"catalog\": there is no database at \(path) (opening)")
    await #expect(throws: StreamError.self) { try await stream.verify() }
  }

  @Test func `an app follows a stream by its statuses`() async {
    let stream = TableStream(
      "catalog", database: "/no/such/file", from: .static("/no/such/folder"), options: options)
    for await status in stream.run() {
      guard let error = status.error else { continue }
      #expect(error.reason == .noDatabase(path: "/no/such/file"))
      #expect(status.result == nil && status.bytes == 0 && status.rows == 0)
      break
    }
  }
}
