import Foundation
import SeedModel
import Testing

@testable import SeedBuilder

/// In whatever portions a document comes, and however early its plan is made, it becomes the same.
@Suite struct PacingTests {
  static let pacings = [
    Pacing(batchWordCount: 1, sampleBatchCount: 1),
    Pacing(batchWordCount: 1, sampleBatchCount: 4),
    Pacing(batchWordCount: 1, sampleBatchCount: 1, cheapBatchCount: 0),
    Pacing(batchWordCount: 12, sampleBatchCount: 2, cheapBatchCount: 3),
    // All rows go through the inserting thread.
    Pacing(batchWordCount: 1, sampleBatchCount: 1, parcelValueCount: 1),
    Pacing(batchWordCount: 40, sampleBatchCount: 2, parcelValueCount: 20),
  ]

  /// How many documents are tried; more when the environment says so.
  static let count = ProcessInfo.processInfo.environment["SEED_TRIALS"].flatMap(Int.init) ?? 250
  static let first = ProcessInfo.processInfo.environment["SEED_FIRST"].flatMap(Int.init) ?? 0

  @Test(arguments: pacings)
  func `small portions and an early plan give the same database`(pacing: Pacing) throws {
    let documents = try RandomDocuments.texts(first: Self.first, count: Self.count)
    for (number, document) in documents.enumerated() {
      let whole = try BuiltDocument(bytes: document)
      let parts = try BuiltDocument(bytes: document, pacing: pacing)
      let (schema, other) = (try whole.schema, try parts.schema)
      try #require(other == schema, "document \(Self.first + number)")
      try #require(
        try parts.stampedDigest == whole.stampedDigest, "document \(Self.first + number)")
      #expect(
        parts.remarks.filter { $0.severity != .note }
          == whole.remarks.filter { $0.severity != .note },
        "document \(Self.first + number)")
      #expect(try parts.computedDigest == parts.stampedDigest, "document \(Self.first + number)")
    }
  }
}
