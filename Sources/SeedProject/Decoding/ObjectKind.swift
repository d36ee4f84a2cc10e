/// The kinds of object that a project file has, with the keys that each of them knows.
///
/// The raw value is the name of the kind's definition in `Seeds/seed.schema.json`.
package enum ObjectKind: String, Sendable, Hashable, CaseIterable {
  case project, source, secret, template, envelope, hyperhive, resource, record, column, reference,
    index
  case stream, streamTable, pragmas

  /// The keys in the order in which the documentation explains them.
  package var keys: [String] {
    switch self {
    case .project:
      [
        "$schema", "name", "version", "output", "schema", "sources", "references", "indexes",
        "owned", "streams", "userVersion", "applicationID", "pragmas", "dateFormat", "timeZone",
        "ignoreExtra", "analyze",
      ]
    case .source:
      [
        "file", "url", "hyperhive", "format", "encoding", "table", "delimiter", "quote", "columns",
        "headers", "pageLimit", "envelope", "records",
      ]
    case .secret: ["env"]
    case .template: ["template"]
    case .envelope: ["success", "message"]
    case .hyperhive:
      [
        "host", "api", "environment", "project", "device", "username", "password", "resources",
      ]
    case .resource: ["name", "withCache", "params"]
    case .record: ["table", "columns", "only", "skip"]
    case .column: ["from", "type", "format", "default", "null", "trim", "constant"]
    case .reference: ["from", "to"]
    case .index: ["name", "table", "columns", "unique"]
    case .stream: ["tables", "source"]
    case .streamTable: ["table", "key", "columns"]
    case .pragmas: ["page_size", "auto_vacuum", "encoding", "journal_mode"]
    }
  }

  /// What messages call such an object.
  package var title: String {
    switch self {
    case .project: "the project"
    case .source: "a source"
    case .secret: "a secret"
    case .template: "a text with variables"
    case .envelope: "an envelope"
    case .hyperhive: "a HyperHive source"
    case .resource: "a resource"
    case .record: "a record"
    case .column: "a column"
    case .reference: "a reference"
    case .index: "an index"
    case .stream: "a stream"
    case .streamTable: "a table of a stream"
    case .pragmas: "the pragmas"
    }
  }

  /// The keys of the project that stand for something that could be expected here.
  var substitutes: [String: String] {
    self == .pragmas ? ["user_version": "userVersion", "application_id": "applicationID"] : [:]
  }
}
