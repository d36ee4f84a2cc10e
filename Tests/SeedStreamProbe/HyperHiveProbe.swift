import SeedStreams

/// One load as an app does it: `SeedStreamProbe hyperhive DATABASE HOST RESOURCE`.
///
/// It prints `rows=<count>`.
struct HyperHiveProbe {
  private let database: String
  private let host: String
  private let resource: String

  init(_ words: [String]) throws {
    guard words.count == 3 else {
      throw StreamProbe.Mistake(description: "give a database, a host and a resource")
    }
    (database, host, resource) = (words[0], words[1], words[2])
  }

  func run() async throws {
    let client = HyperHiveClient(
      HyperHiveServer(host: host, environment: "e", project: "p", device: "d"))
    _ = try await client.authenticate(user: "u", password: "p")
    let load = try await client.load(resource, into: database)
    print("rows=\(load.changedRowCount)")
  }
}
