import SeedStreams
import Testing

/// Streams from servers and from APIs, as an app sets them up.
@Suite struct StreamOriginProbe {
  private func items(_ path: String) throws -> TableStream {
    let adapter = RESTAdapter(
      firstPage: { cursor in "https://api.example/items" + (cursor.map { "?since=\($0)" } ?? "") },
      read: { page in
        RESTPageContent(
          changes: [
            RESTChange(.delete, table: "item", columns: ["id"], rows: [[.integer(1)]]),
            RESTChange(
              .upsert, table: "item", columns: ["id", "name", "price", "icon", "note"],
              rows: [[.integer(2), .text("Rope"), .real(4), .blob([1, 2]), .null]]),
          ],
          next: page.nextLink, cursor: page.header("X-Cursor"), pollAfter: .seconds(60))
      })
    try TableStream.begin(
      "items", database: path,
      tables: [StreamTableDeclaration(table: "item", key: ["id"], columns: ["id", "name"])])
    return TableStream("items", database: path, from: .rest(adapter))
  }

  @Test func `a database that is not there is an error of its own`() async {
    #expect(throws: StreamError.self) { try items("/nothing/app.sqlite") }
    let catalog = TableStream(
      "catalog", database: "/nothing/app.sqlite",
      from: .dynamic("https://api.example/v1/streams/catalog"))
    await #expect(throws: StreamError.self) { try await catalog.sync() }
  }
}
