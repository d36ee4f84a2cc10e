import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport

@testable import SeedBuilder

/// A database built from one document inside the test's own process, with what the build said.
struct BuiltDocument {
  let directory: TemporaryDirectory
  let path: String
  let remarks: [Diagnostic]
  let summary: BuildSummary

  /// Builds a document, in portions as the test wants them.
  init(
    _ document: String, name: String = "input.xml", pacing: Pacing = Pacing(),
    pageSize: Int = 4096, analyzes: Bool = false
  ) throws {
    try self.init(
      bytes: Array(document.utf8), name: name, pacing: pacing, pageSize: pageSize,
      analyzes: analyzes)
  }

  init(
    bytes: [UInt8], name: String = "input.xml", pacing: Pacing = Pacing(), pageSize: Int = 4096,
    analyzes: Bool = false
  ) throws {
    let directory = try TemporaryDirectory()
    let input = try directory.write(bytes, to: name)
    let path = try directory.write([], to: "output.sqlite")
    let said = Remarks()
    var options = BuildOptions(inputs: [.file(input)], output: path)
    options.pageSize = pageSize
    options.analyzes = analyzes
    options.onDiagnostic = { said.append($0) }
    var build = try DatabaseBuild(options)
    build.pacing = pacing
    summary = try build.run(
      into: path, truncate: { try directory.write([], to: "output.sqlite") }, flush: {})
    // Every test has a directory of its own.
    remarks = said.list.map { remark in
      var remark = remark
      remark.location?.file = name
      return remark
    }
    self.directory = directory
    self.path = path
  }

  /// The rows of a query.
  func rows(_ query: String) throws -> [[SQLiteValue]] {
    try Connection(path: path, mode: .readOnly).rows(query)
  }

  /// The texts of a query's first column; what is no text is left out.
  func texts(_ query: String) throws -> [String] {
    try rows(query).compactMap { if case .text(let text)? = $0.first { text } else { nil } }
  }

  /// The statements that define everything but the stamp.
  var schema: [String] {
    get throws { try texts("SELECT sql FROM sqlite_schema WHERE name <> '_seed' ORDER BY name") }
  }

  /// The digest that the build wrote into the stamp.
  var stampedDigest: String? {
    get throws { try texts("SELECT content_sha256 FROM _seed").first }
  }

  /// The digest of the finished database, from its rows.
  var computedDigest: String {
    get throws { try ContentDigest.compute(Connection(path: path, mode: .readOnly)) }
  }
}

/// What a build said; it says all on the thread that started it.
final class Remarks: @unchecked Sendable {
  private(set) var list: [Diagnostic] = []

  func append(_ diagnostic: Diagnostic) { list.append(diagnostic) }
}
