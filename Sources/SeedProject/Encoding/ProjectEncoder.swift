package import SeedModel

/// Writes a project as the text of its file.
package enum ProjectEncoder {
  /// The text of a project file that declares just what the project does.
  ///
  /// - Parameters:
  ///   - project: What to declare.
  ///   - schemaPath: Where the JSON Schema lies, for editors.
  /// - Returns: The text, with a line break at its end.
  package static func text(of project: Project, schemaPath: String? = nil) -> String {
    var members = Members()
    members.add("$schema", schemaPath.map { .string($0) })
    members.add("name", project.name)
    members.add("version", project.version)
    members.add("output", project.output)
    members.add("schema", project.schema)
    members.add("dateFormat", project.dateFormat)
    members.add("timeZone", project.timeZone)
    members.add("userVersion", project.userVersion.map { .integer(Int64($0.value)) })
    members.add("applicationID", project.applicationID.map { .integer(Int64($0.value)) })
    members.add("ignoreExtra", true, if: project.ignoresExtra)
    members.add("analyze", true, if: project.analyzes)
    members.add("sources", .array(project.sources.map(source)))
    members.add(
      "references", object: project.references.map { ($0.name, reference($0)) })
    members.add("indexes", .array(project.indexes.map(index)), if: !project.indexes.isEmpty)
    members.add(
      "owned",
      object: project.owned.map { ($0.table, $0.columns.isEmpty ? true : strings($0.columns)) })
    members.add("streams", object: project.streams.map { ($0.name, stream($0)) })
    members.add("pragmas", object: project.pragmas.map { ($0.name.value, $0.value) })
    return ProjectText.text(of: members.object)
  }

  /// The members of an object, of which those that declare nothing are left out.
  struct Members {
    private var list: [JSONValue.Member] = []

    var object: JSONValue { .object(list) }

    mutating func add(_ name: String, _ value: JSONValue?) {
      if let value { list.append(JSONValue.Member(name, value)) }
    }

    mutating func add(_ name: String, _ value: JSONValue, if isDeclared: Bool) {
      if isDeclared { list.append(JSONValue.Member(name, value)) }
    }

    mutating func add(_ name: String, _ text: Located<String>?) {
      add(name, text.map { .string($0.value) })
    }

    mutating func add(_ name: String, object members: [(String, JSONValue)]) {
      guard !members.isEmpty else { return }
      add(name, .object(members.map { JSONValue.Member($0.0, $0.1) }))
    }
  }

  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  // MARK: Tables

  private static func reference(_ rule: ReferenceRule) -> JSONValue {
    let target = "\(QuotedNames.text(rule.targetTable)).\(QuotedNames.text(rule.targetColumn))"
    return ["from": .string(rule.from.value), "to": .string(target)]
  }

  private static func index(_ rule: IndexRule) -> JSONValue {
    if rule.name == nil {
      let columns = rule.columns.map(QuotedNames.text).joined(separator: ", ")
      return .string("\(rule.isUnique ? "unique " : "")\(QuotedNames.text(rule.table))(\(columns))")
    }
    var members = Members()
    members.add("name", rule.name.map { .string($0) })
    members.add("table", .string(rule.table))
    members.add("columns", strings(rule.columns))
    members.add("unique", true, if: rule.isUnique)
    return members.object
  }

  private static func stream(_ rule: StreamRule) -> JSONValue {
    var members = Members()
    members.add("tables", .array(rule.tables.map(streamTable)))
    members.add("source", rule.source.map { .string($0) })
    return members.object
  }

  private static func streamTable(_ table: StreamRule.Table) -> JSONValue {
    guard table.key != nil || table.columns != nil else { return .string(table.name.value) }
    var members = Members()
    members.add("table", table.name)
    members.add("key", table.key.map { strings($0.map(\.value)) })
    members.add("columns", table.columns.map { strings($0.map(\.value)) })
    return members.object
  }
}

extension ReferenceRule {
  /// Table and column as the project file names them.
  fileprivate var name: String { "\(QuotedNames.text(table)).\(QuotedNames.text(column))" }
}
