import SeedInput
import SeedModel
import SeedSQLite
import TestSupport

@testable import SeedBuilder

/// What a document shows of itself without being loaded.
struct ObservedDocument {
  private(set) var facts = DocumentFacts(rules: .standard)

  /// Observes a document in batches of a few words, unless told otherwise.
  init(_ document: String, batchWordCount: Int = 1) throws {
    var observer = FactObserver()
    var facts = facts
    try DocumentBatches.read(document, batchWordCount: batchWordCount) { batch in
      for definition in batch.definitions { facts.add(definition, placeBase: 0, fieldBase: 0) }
      observer.observe(batch, into: &facts, placeBase: 0, fieldBase: 0)
      return true
    }
    self.facts = facts
  }

  /// The index of the place at a path such as `r/item`.
  func place(_ path: String) -> Int? {
    facts.places.indices.first { self.path($0) == path }
  }

  private func path(_ place: Int) -> String {
    let name = facts.places[place].name.local
    return facts.places[place].parent.map { path($0) + "/" + name } ?? name
  }

  /// The statistics of the direct text at a path.
  func text(_ path: String) -> ValueStatistics? {
    place(path).flatMap { facts.places[$0].text }.map { facts.fields[$0].statistics }
  }

  /// The plan that the facts make.
  func plan(
    rejecting rejected: Set<LoadPlanner.RejectedKey> = [], late: Set<QualifiedName> = []
  ) -> LoadPlan {
    var planner = LoadPlanner(facts: facts, rejectedKeys: rejected, lateKeys: late)
    return planner.makePlan()
  }
}

/// Reads documents into batches on the test's own thread.
enum DocumentBatches {
  /// Gives each batch to `take`, until that says false.
  static func read(
    _ document: String, batchWordCount: Int, take: @escaping (TokenBatch) throws -> Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let input = try InputDocument(
      .file(try directory.write(document, to: "input.xml")), spoolDirectory: nil)
    var failure: (any Error)?
    _ = try XMLReader.read(
      try input.open().source, name: "input.xml", firstBatch: TokenBatch(),
      batchWordCount: batchWordCount
    ) { batch in
      var batch = batch
      do {
        let goesOn = try take(batch)
        batch.removeAll()
        if goesOn { return batch }
      } catch {
        failure = error
      }
      batch.deallocate()
      return nil
    }
    if let failure { throw failure }
  }
}
