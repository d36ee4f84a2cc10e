internal import SeedModel

extension ProjectEncoder {
  static func source(_ source: ProjectSource) -> JSONValue {
    var members = Members()
    switch source.origin {
    case .file(let path): members.add("file", path)
    case .url(let url, let headers):
      members.add("url", url)
      members.add("headers", object: headers.map { ($0.name, value($0.value)) })
    case .hyperHive(let server): members.add("hyperhive", hyperHive(server))
    }
    members.add("format", source.format.map { .string($0.rawValue) })
    members.add("encoding", source.encoding.map { .string($0) })
    members.add("table", source.table)
    members.add("delimiter", source.layout.delimiter.map(character))
    members.add("quote", source.layout.quote.map(character))
    members.add("columns", source.layout.columnNames.map(strings))
    members.add("pageLimit", source.pageLimit.map { .integer(Int64($0)) })
    members.add("envelope", source.envelope.map(envelope))
    members.add("records", object: source.records.map { ($0.path.value, record($0)) })
    return members.object
  }

  private static func character(_ byte: UInt8) -> JSONValue {
    byte == DelimitedLayout.noQuote ? .null : .string(String(Character(Unicode.Scalar(byte))))
  }

  private static func value(_ value: HeaderRule.Value) -> JSONValue {
    switch value {
    case .text(let text): .string(text)
    case .environment(let name): ["env": .string(name)]
    case .template(let text): ["template": .string(text)]
    }
  }

  private static func envelope(_ rule: EnvelopeRule) -> JSONValue {
    var members = Members()
    members.add("success", rule.success.map { .string($0) })
    members.add("message", rule.message.map { .string($0) })
    return members.object
  }

  private static func hyperHive(_ server: HyperHiveSource) -> JSONValue {
    var members = Members()
    members.add("host", .string(server.host))
    members.add("api", .string(server.api))
    members.add("environment", .string(server.environment))
    members.add("project", .string(server.project))
    members.add("device", .string(server.device))
    members.add("username", server.username.map(value))
    members.add("password", server.password.map(value))
    members.add("resources", .array(server.resources.map(resource)))
    return members.object
  }

  private static func resource(_ resource: HyperHiveSource.Resource) -> JSONValue {
    if resource.withCache, resource.parameters == nil { return .string(resource.name) }
    var members = Members()
    members.add("name", .string(resource.name))
    members.add("withCache", .bool(resource.withCache))
    members.add("params", resource.parameters)
    return members.object
  }

  // MARK: Records

  private static func record(_ rule: RecordRule) -> JSONValue {
    var members = Members()
    members.add("table", rule.table)
    members.add("only", true, if: rule.onlyNamedColumns)
    members.add("skip", true, if: rule.isSkipped)
    members.add("columns", object: rule.columns.map { ($0.name.value, column($0)) })
    return members.object
  }

  private static func column(_ rule: ColumnRule) -> JSONValue {
    var members = Members()
    members.add("from", rule.from)
    members.add("type", rule.type.map { .string($0.value.rawValue) })
    members.add("format", rule.format)
    members.add("default", rule.defaultValue?.value)
    members.add("null", strings(rule.nullTexts), if: !rule.nullTexts.isEmpty)
    members.add("trim", true, if: rule.isTrimmed)
    members.add("constant", rule.constant?.value)
    return members.object
  }
}
