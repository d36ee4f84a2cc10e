import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct StreamPlaceTests {
  private static let place = """
    CREATE TABLE _seed_stream(
      stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
      cursor TEXT, schema TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO _seed_stream VALUES('main', 1767225600, 7, 'x', NULL, '', 0);
    """

  @Test func `a build that takes a place in a stream away says so, and how to get it back`() throws
  {
    var workspace = try BuildWorkspace()
    let remarks = Remarks()
    workspace.options.onDiagnostic = { remarks.append($0) }
    _ = try Build.runIfChanged(workspace.options)
    try workspace.changeOutput(
      Self.place + "INSERT INTO _seed_stream VALUES('shop', 5, 2, 'y', NULL, '', 0)")
    // What is current is left as it is, with its places.
    #expect(try Build.runIfChanged(workspace.options) == nil)
    #expect(remarks.list.isEmpty)
    _ = try Build.run(workspace.options)
    let output = workspace.options.output
    #expect(
      remarks.list.map(\.message) == [
        "the database before stood at 1767225600/7 in stream \"main\", the new one has no place in "
          + "it yet",
        "the database before stood at 5/2 in stream \"shop\", the new one has no place in it yet",
      ])
    #expect(remarks.list.allSatisfy { $0.severity == .warning && $0.location?.file == output })
    let hints = remarks.list.compactMap(\.hint)
    #expect(hints.first?.contains("\"seed publish \(output) --to DIRECTORY\"") == true)
    #expect(hints.last?.contains("--to DIRECTORY --stream shop\"") == true)
    // Now there is none to be lost.
    _ = try Build.run(workspace.options)
    #expect(remarks.list.count == 2)
  }

  @Test func `a place that the new database has, too, is not lost`() throws {
    var workspace = try BuildWorkspace()
    let remarks = Remarks()
    workspace.options.onDiagnostic = { remarks.append($0) }
    let build = {
      try Build.run(workspace.options) { PlacedMaker(base: try Build.maker($0), sql: Self.place) }
    }
    _ = try build()
    let places = PreviousOutput(path: workspace.options.output).streamPlaces
    #expect(
      places == [StreamPlace(stream: "main", epoch: 1_767_225_600, seq: 7, isApplied: false)])
    _ = try build()
    #expect(remarks.list.isEmpty)
  }
}

/// Makes databases that have a place in a stream from the start.
private struct PlacedMaker: DatabaseMaker {
  let base: any DatabaseMaker
  let sql: String

  var record: BuildRecord? { base.record }

  func run(
    into path: String, truncate: () throws -> Void, flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary {
    let summary = try base.run(into: path, truncate: truncate, flush: flush)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
    return summary
  }
}
