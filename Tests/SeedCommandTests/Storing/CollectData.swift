import SeedStreams
import SeedTransport

// An app's own code, as its developer writes it: the model, the request, the provider.

struct CollectData: Codable, Equatable, Sendable {
  var notes: [CollectNote]
  var stat: HomeCount
}

struct CollectNote: Codable, Equatable, Sendable {
  var id: Int64
  var title: String
  var created: String
  var rating: Double?
  var tags: [String]
}

struct HomeCount: Codable, Equatable, Sendable {
  var notes: Int
  var unread: Int
  var isComplete: Bool
}

struct CollectDataRequest: JSONRequest<CollectData> {
  let path = "collect"
}

/// The same for a user who has signed in.
struct CollectOwnDataRequest: JSONRequest<CollectData> {
  let path = "collect/own"
  let needsAccessToken = true
}

protocol DataProvider: Sendable {
  func collectData() async throws -> CollectData
  func collectData(_ completion: @escaping @Sendable (Result<CollectData, any Error>) -> Void)
  func refresh(_ database: String) async throws -> CollectData
}

struct NetworkDataProvider: DataProvider {
  let network: NetworkProvider

  func collectData() async throws -> CollectData {
    try await network.send(CollectDataRequest())
  }

  func collectData(_ completion: @escaping @Sendable (Result<CollectData, any Error>) -> Void) {
    network.send(CollectDataRequest(), completion: completion)
  }

  func refresh(_ database: String) async throws -> CollectData {
    let answer = try await network.answer(to: CollectDataRequest())
    let options = StoreOptions(tables: ["notes": .upsert(by: "id"), "stat": .replace])
    try await answer.store(into: database, options: options)
    return answer.value
  }
}
