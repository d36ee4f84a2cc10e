import Foundation
import SeedFetch
import SeedTransport
import TestSupport

/// A cache of its own for one test and fetchers that use it.
final class FetchFixture: Sendable {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Fetches one source.
  func fetch(
    _ url: String, headers: [FetchSource.Field] = [], query: [FetchSource.Field] = [],
    environment: [String: String] = [:], _ change: (inout FetchOptions) -> Void = { _ in }
  ) throws -> FetchedSource {
    var options = FetchOptions(
      cacheDirectory: directory.path("cache"), environment: { environment[$0] })
    options.clock = RetryClock(wait: { _, _ in }, fraction: { 0 })
    change(&options)
    let sources = try Fetcher(StandardTransport.make(), options: options)
      .fetch([FetchSource(url, headers: headers, query: query)])
    return sources[0]
  }

  /// The error of fetching one source; nil if it succeeds.
  func failure(
    _ url: String, headers: [FetchSource.Field] = [], query: [FetchSource.Field] = [],
    environment: [String: String] = [:], _ change: (inout FetchOptions) -> Void = { _ in }
  ) throws -> FetchError? {
    do {
      _ = try fetch(url, headers: headers, query: query, environment: environment, change)
      return nil
    } catch let error as FetchError {
      return error
    }
  }

  /// The text of a fetched page.
  func text(_ page: FetchedPage) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: page.path)), as: UTF8.self)
  }

  /// Everything in the directory, names and contents, to look for what must not be there.
  func everything() throws -> String {
    var text = ""
    let names = FileManager.default.enumerator(atPath: directory.path)
    while let name = names?.nextObject() as? String {
      text += name + "\n"
      if let bytes = FileManager.default.contents(atPath: directory.path(name)) {
        text += String(decoding: bytes, as: UTF8.self) + "\n"
      }
    }
    return text
  }
}
