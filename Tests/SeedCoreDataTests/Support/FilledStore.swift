import SeedBuilder
import SeedModel
import SeedSQLite
import TestSupport

@testable import SeedCoreData

/// A store built from named files, inside the test's own process.
struct FilledStore {
  let directory: TemporaryDirectory
  let path: String
  let remarks: [Diagnostic]
  let summary: BuildSummary

  /// Builds the store of a model, given as its lines between `<model …>` and `</model>`.
  init(
    _ files: [(name: String, text: String)], model: String,
    records: [String: [RecordRule]] = [:], envelope: EnvelopeRule? = nil,
    rules: (inout BuildOptions) -> Void = { _ in }
  ) throws {
    directory = try TemporaryDirectory()
    let directory = directory
    let contents = try directory.write(ModelText.contents(model), to: "contents")
    var options = BuildOptions(
      inputs: try files.map { file in
        var input = BuildInput(
          .file(try directory.write(file.text, to: file.name)), name: file.name)
        input.records = records[file.name] ?? []
        input.envelope = envelope
        return input
      }, output: directory.path("output.sqlite"))
    rules(&options)
    let said = Remarks()
    options.onDiagnostic = { said.append($0) }
    summary = try Build.run(options) { try StoreBuild($0, StoreOptions(model: contents)) }
    path = options.output
    remarks = said.list
  }

  /// One XML document.
  init(
    _ xml: String, model: String, rules: (inout BuildOptions) -> Void = { _ in }
  ) throws {
    try self.init([("input.xml", xml)], model: model, rules: rules)
  }

  /// The rows of a query.
  func rows(_ query: String) throws -> [[SQLiteValue]] {
    try Connection(path: path, mode: .immutable).rows(query)
  }

  /// The rows of a query, as the shell of SQLite shows them.
  func lines(_ query: String) throws -> [String] {
    try rows(query).map { row in
      row.map { value in
        switch value {
        case .null: ""
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "x'" + bytes.map { hexadecimal($0) }.joined() + "'"
        }
      }.joined(separator: "|")
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }

  /// What a build says that fails, each with the place in the file.
  static func failure(
    _ files: [(name: String, text: String)], model: String,
    records: [String: [RecordRule]] = [:], envelope: EnvelopeRule? = nil,
    rules: (inout BuildOptions) -> Void = { _ in }
  ) throws -> [String] {
    do {
      _ = try FilledStore(
        files, model: model, records: records, envelope: envelope, rules: rules)
    } catch let error as BuildError {
      return error.diagnostics.map { diagnostic in
        let place = diagnostic.location.map { "\($0): " } ?? ""
        return place + diagnostic.message + (diagnostic.hint.map { " [\($0)]" } ?? "")
      }
    }
    return []
  }

  /// What is said of one XML document.
  static func failure(
    _ xml: String, model: String, rules: (inout BuildOptions) -> Void = { _ in }
  ) throws -> [String] {
    try failure([("input.xml", xml)], model: model, rules: rules)
  }
}

/// The diagnostics of a build, in their order.
private final class Remarks: @unchecked Sendable {
  // Unchecked: builds report on the thread that runs them.
  private(set) var list: [Diagnostic] = []

  func append(_ diagnostic: Diagnostic) { list.append(diagnostic) }
}

extension RecordRule {
  /// A rule as a project file would declare it.
  init(
    _ path: String, entity: String? = nil, columns: [ColumnRule] = [], only: Bool = false,
    skip: Bool = false
  ) {
    self.init(path: Located(path))
    table = entity.map { Located($0) }
    self.columns = columns
    onlyNamedColumns = only
    isSkipped = skip
  }
}

extension ColumnRule {
  /// A rule as a project file would declare it.
  init(
    _ name: String, from: String? = nil, format: String? = nil, constant: JSONValue? = nil,
    defaultValue: JSONValue? = nil
  ) {
    self.init(name: Located(name))
    self.from = from.map { Located($0) }
    self.format = format.map { Located($0) }
    self.constant = constant.map { Located($0) }
    self.defaultValue = defaultValue.map { Located($0) }
  }
}

extension ReferenceRule {
  /// A rule as a project file would declare it.
  init(_ relationship: (String, String), from: String, to target: (String, String)) {
    self.init(
      table: relationship.0, column: relationship.1, from: Located(from), targetTable: target.0,
      targetColumn: target.1)
  }
}
