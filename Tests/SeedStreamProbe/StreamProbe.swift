import Foundation
import SeedStreams
import SeedTransport

/// One run: `SeedStreamProbe DATABASE SOURCE CACHE [--kill N | --pages N]`.
///
/// It prints `moments=<count> outcome=<how it ended>`; a moment is the beginning or the end of a
/// statement that SQLite runs on any connection of the process.
struct StreamProbe {
  struct Mistake: Error, CustomStringConvertible {
    var description: String
  }

  private let database: String
  private let source: String
  private let cache: String
  private let options: [String: Int]

  init(_ words: [String]) throws {
    var rest = words[...]
    var operands: [String] = []
    var options: [String: Int] = [:]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        operands.append(word)
        continue
      }
      guard let number = rest.popFirst().flatMap({ Int($0) }) else {
        throw Mistake(description: "\(word) needs a number")
      }
      options[word] = number
    }
    guard operands.count == 3 else {
      throw Mistake(description: "give a database, a source and a folder for the cache")
    }
    (database, source, cache) = (operands[0], operands[1], operands[2])
    self.options = options
  }

  func run() throws {
    StatementHook.install(
      killingAt: options["--kill"] ?? .max, mostPages: options["--pages"] ?? 0)
    var streamOptions = StreamOptions()
    streamOptions.cacheDirectory = cache
    let stream = TableStream(
      "catalog", database: database, from: .static(source), options: streamOptions)
    let outcome: String
    do throws(StreamError) {
      outcome = try stream.syncBlocking().outcome.rawValue
    } catch {
      outcome = error.kind
    }
    print("moments=\(StatementHook.count) outcome=\(outcome)")
  }
}
