import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// A build by way of staged records gives what one without rules gives.
@Suite struct MappedBuildTests {
  /// Each table of a database: the statements that define it, and its rows by column name.
  private func content(_ path: String) throws -> [String: [String]] {
    let connection = try Connection(path: path, mode: .readOnly)
    var result: [String: [String]] = [:]
    for row in try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> '_seed'")
    {
      guard case .text(let name) = row[0] else { continue }
      let columns = try connection.rows(
        "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid", .text(name))
      let names = columns.compactMap {
        if case .text(let column) = $0[0] { SQLiteName.quoted(column) } else { nil }
      }
      let keys = try connection.rows(
        "SELECT \"table\", \"from\" FROM pragma_foreign_key_list(?1) ORDER BY 1, 2", .text(name))
      let rows = try connection.rows(
        "SELECT \(names.joined(separator: ", ")) FROM \(SQLiteName.quoted(name)) ORDER BY rowid")
      result[name] = [columns, keys, rows].map { "\($0)" }
    }
    return result
  }

  @Test func `random documents come out the same both ways`() throws {
    for (number, bytes) in try RandomDocuments.texts(first: 5_000, count: 150).enumerated() {
      let directory = try TemporaryDirectory()
      let input = BuildInput(.file(try directory.write(bytes, to: "input.xml")), name: "input.xml")
      var options = BuildOptions(inputs: [input], output: directory.path + "/plain.sqlite")
      _ = try Build.run(options)
      options.output = directory.path + "/mapped.sqlite"
      options.alwaysMaps = true
      _ = try Build.run(options)
      let plain = try content(directory.path + "/plain.sqlite")
      let mapped = try content(options.output)
      #expect(
        plain == mapped, "document \(5_000 + number): \(String(decoding: bytes, as: UTF8.self))")
      if plain != mapped { return }
    }
  }
}
