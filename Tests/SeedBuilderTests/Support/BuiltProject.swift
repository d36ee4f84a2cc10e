import SeedModel
import SeedSQLite
import TestSupport

@testable import SeedBuilder

/// A database built from named files under rules, inside the test's own process.
struct BuiltProject {
  let directory: TemporaryDirectory
  let path: String
  let remarks: [Diagnostic]

  /// Builds the files whose names are no schema's; each has its rules.
  init(
    _ files: [(name: String, text: String)], schema: String? = nil,
    records: [String: [RecordRule]] = [:], envelope: EnvelopeRule? = nil,
    rules: (inout BuildOptions) -> Void = { _ in }
  ) throws {
    directory = try TemporaryDirectory()
    let directory = directory
    var options = BuildOptions(
      inputs: try files.map { file in
        var input = BuildInput(
          .file(try directory.write(file.text, to: file.name)), name: file.name)
        input.records = records[file.name] ?? []
        input.envelope = envelope
        return input
      }, output: directory.path + "/output.sqlite")
    options.mapping.schema = try schema.map {
      Located(try directory.write($0, to: "schema.sql"))
    }
    rules(&options)
    let said = Remarks()
    options.onDiagnostic = { said.append($0) }
    _ = try Build.run(options)
    path = options.output
    remarks = said.list
  }

  /// The rows of a query.
  func rows(_ query: String) throws -> [[SQLiteValue]] {
    try Connection(path: path, mode: .readOnly).rows(query)
  }

  /// The names of the schema's objects but for the stamp.
  var objects: [String] {
    get throws {
      try rows(
        "SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_seed' ESCAPE '\\' ORDER BY rowid"
      )
      .map { if case .text(let name) = $0[0] { name } else { "" } }
    }
  }

  /// What a build says that fails, each with the place in the file.
  static func failure(
    _ files: [(name: String, text: String)], schema: String? = nil,
    records: [String: [RecordRule]] = [:], envelope: EnvelopeRule? = nil,
    rules: (inout BuildOptions) -> Void = { _ in }
  ) throws -> [String] {
    do {
      _ = try BuiltProject(
        files, schema: schema, records: records, envelope: envelope, rules: rules)
    } catch let error as BuildError {
      return error.diagnostics.map { diagnostic in
        let place = diagnostic.location.map { place in
          let name = place.file.split(separator: "/").last.map(String.init) ?? ""
          return SourceLocation(file: name, line: place.line, column: place.column).description
            + ": "
        }
        return (place ?? "") + diagnostic.message + (diagnostic.hint.map { " [\($0)]" } ?? "")
      }
    }
    return []
  }
}

extension RecordRule {
  /// A rule as a project file would declare it.
  init(_ path: String, table: String? = nil, columns: [ColumnRule] = [], only: Bool = false) {
    self.init(path: Located(path))
    self.table = table.map { Located($0) }
    self.columns = columns
    onlyNamedColumns = only
  }
}

extension ColumnRule {
  /// A rule as a project file would declare it.
  init(_ name: String, from: String? = nil, type: DeclaredType? = nil, format: String? = nil) {
    self.init(name: Located(name))
    self.from = from.map { Located($0) }
    self.type = type.map { Located($0) }
    self.format = format.map { Located($0) }
  }
}
