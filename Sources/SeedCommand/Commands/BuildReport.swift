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
    let entities = summary.entities.map { JSONValue.Member($0.name, .integer($0.count)) }
    var members: [JSONValue.Member] = [
      .init("output", .string(summary.output)),
      .init("tables", .integer(summary.tableCount)),
      .init("rows", .integer(summary.rowCount)),
      .init("bytes", .integer(summary.byteCount)),
      .init("seconds", .number((seconds * 1000).rounded() / 1000)),
    ]
    if !entities.isEmpty { members.append(.init("entities", .object(entities))) }
    return .object(members)
  }

  /// What is printed instead of a summary when there was nothing to build.
  static func upToDate(_ output: String) -> JSONValue {
    ["output": .string(output), "up_to_date": true]
  }

  /// The findings of a check as diagnostics, then the difference, then what to do.
  static func text(of report: CheckReport, usesColor: Bool) -> String {
    let renderer = DiagnosticRenderer(usesColor: usesColor)
    let place = SourceLocation(file: report.output)
    let findings = report.findings.map {
      renderer.text(for: Diagnostic(.error, $0.message, at: place))
    }
    return findings.joined() + DifferenceText.text(of: report.difference)
      + "hint: \(report.advice)\n"
  }
}
