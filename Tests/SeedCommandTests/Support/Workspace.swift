import Foundation

/// A folder of its own for one test, deleted with it, in which the tool is run.
final class Workspace: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("seed-acceptance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes an input file and returns its place.
  @discardableResult
  func write(_ content: some Sequence<UInt8>, to name: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content).write(to: url)
    return url
  }

  /// Runs the tool with this folder as the current one.
  func seed(
    _ arguments: [String], environment: [String: String] = [:], input: URL? = nil
  ) async throws -> ProcessOutcome {
    try await ChildProcess.run(
      Project.tool, arguments, in: folder, environment: environment, input: input)
  }

  /// Builds a database from the text of one document.
  func build(_ document: String) async throws -> BuiltDatabase {
    let input = try write(document.utf8, to: "input.xml")
    return try await build([input])
  }

  /// Builds a database from input files; fails unless the tool exits 0.
  func build(_ inputs: [URL], schema: URL? = nil) async throws -> BuiltDatabase {
    let output = folder.appendingPathComponent("output-\(UUID().uuidString).sqlite")
    let options = ["-o", output.path] + (schema.map { ["--schema", $0.path] } ?? [])
    let outcome = try await seed(["build"] + inputs.map(\.path) + options)
    guard outcome.status == 0 else { throw BuildFailure(outcome: outcome) }
    return BuiltDatabase(url: output, outcome: outcome, workspace: self)
  }
}

/// The tool refused an input that it should have built.
struct BuildFailure: Error, CustomStringConvertible {
  var outcome: ProcessOutcome

  var description: String { "seed exits \(outcome.status): \(outcome.errors)" }
}

/// A database that the tool has made, with what it printed.
struct BuiltDatabase: Sendable {
  var url: URL
  var outcome: ProcessOutcome
  /// Keeps the folder of the database as long as the database is used.
  var workspace: Workspace

  /// The rows of a query, each value as an SQL literal: `7`, `7.0`, `'7'` and `NULL` differ.
  func rows(_ query: String) async throws -> [[String]] {
    let outcome = try await Project.check("query.py", [url.path, query])
    guard outcome.status == 0 else { throw BuildFailure(outcome: outcome) }
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// The first column of a query.
  func column(_ query: String) async throws -> [String] {
    try await rows(query).compactMap(\.first)
  }

  /// The statement that defines an object, exactly as SQLite keeps it.
  func definition(of name: String) async throws -> String {
    let query = "SELECT hex(sql) FROM sqlite_master WHERE name = '\(name)'"
    let digits = try await column(query).first.map { Array($0.dropFirst().dropLast().utf8) } ?? []
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
