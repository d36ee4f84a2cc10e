import SeedModel
import SeedPublisher
import SeedStreams

/// The result of a publication for people and for programs.
enum PublishReport {
  /// Segments above this size deserve a word.
  static let largeSegmentBytes: Int64 = 8 << 20

  /// `default.sqlite: main is at 1767225600/42, 40 rows changed, 1.2 KB written`.
  static func text(of result: PublishResult, path: String) -> String {
    let place = "\(result.stream) is at \(result.position.epoch)/\(result.position.seq)"
    let start = "\(TerminalText.escaped(path)): \(place)"
    guard result.isNew else { return "\(start), nothing has changed" }
    let change =
      result.segmentBytes == nil
      ? "a new history of \(Readable.count(result.rows, "row"))"
      : "\(Readable.count(result.rows, "row")) changed"
    return "\(start), \(change), \(Readable.bytes(result.writtenBytes)) written"
  }

  /// What the owner should know of a publication.
  static func warnings(of result: PublishResult, path: String) -> [Diagnostic] {
    result.unfilled.map {
      Diagnostic(
        .warning,
        "apps cannot insert rows into \"\($0.table)\": the stream does not carry column "
          + "\"\($0.column)\", which is NOT NULL without a DEFAULT",
        at: SourceLocation(file: path), hint: "have the stream carry it, or give it a DEFAULT")
    }
      + result.uncarried.map {
        Diagnostic(
          .warning,
          "everybody can read column \"\($0.column)\" of table \"\($0.table)\" in the snapshot, though "
            + "the stream does not carry it",
          at: SourceLocation(file: path),
          hint: "keep it in a table of its own: here a constraint needs its values")
      }
  }

  static func json(of result: PublishResult) -> JSONValue {
    [
      "stream": .string(result.stream),
      "status": .string(result.isNew ? "published" : "unchanged"),
      "epoch": .integer(result.position.epoch),
      "seq": .integer(result.position.seq),
      "id": .string(result.position.id),
      "rows": .integer(result.rows),
      "written_bytes": .integer(result.writtenBytes),
      "segment_bytes": .integer(result.segmentBytes),
      "snapshot_bytes": .integer(result.snapshotBytes),
    ]
  }
}
