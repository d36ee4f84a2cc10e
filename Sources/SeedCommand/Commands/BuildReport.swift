import SeedBuilder
import SeedModel

/// The summary of a build for people and for programs.
enum BuildReport {
  /// `default.sqlite: 3 rows in 1 table, 12 KB, 0.01 s`.
  static func text(of summary: BuildSummary, seconds: Double) -> String {
    let rows = Readable.count(summary.rowCount, "row")
    let tables = Readable.count(Int64(summary.tableCount), "table")
    return TerminalText.escaped(summary.output) + ": \(rows) in \(tables), "
      + "\(Readable.bytes(summary.byteCount)), \(Readable.duration(seconds: seconds))"
  }

  /// The summary with its time to the millisecond.
  static func json(of summary: BuildSummary, seconds: Double) -> JSONValue {
    [
      "output": .string(summary.output),
      "tables": .integer(summary.tableCount),
      "rows": .integer(summary.rowCount),
      "bytes": .integer(summary.byteCount),
      "seconds": .number((seconds * 1000).rounded() / 1000),
    ]
  }
}
