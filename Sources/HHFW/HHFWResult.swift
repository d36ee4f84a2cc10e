internal import Foundation
internal import SeedModel
internal import SeedStreams

/// The result of a call in the vendor's form; passwords and tokens are in none of its parts.
internal struct HHFWResult {
  /// The call, as its result repeats it.
  internal struct Request: Sendable {
    internal let json: JSONValue

    internal init(_ method: String, _ members: [(String, JSONValue)]) {
      json = .object(
        [JSONValue.Member("method", .string(method))]
          + members.map { JSONValue.Member($0.0, $0.1) })
    }
  }

  private let json: JSONValue

  private init(
    _ status: String, _ request: Request, _ exchange: HyperHiveExchange?,
    result: JSONValue = .object([]), errors: [JSONValue] = []
  ) {
    var members = [
      JSONValue.Member("status", .string(status)), JSONValue.Member("request", request.json),
    ]
    if let exchange {
      members.append(JSONValue.Member("http", Self.http(exchange)))
      members.append(JSONValue.Member("retryCount", .integer(exchange.retryCount)))
    }
    members.append(JSONValue.Member("result", result))
    members.append(JSONValue.Member("errors", .array(errors)))
    json = .object(members)
  }

  private static func http(_ exchange: HyperHiveExchange) -> JSONValue {
    var headers: [JSONValue.Member] = []
    for header in exchange.headers {
      headers.removeAll { $0.name == header.name }
      headers.append(JSONValue.Member(header.name, .string(header.value)))
    }
    return [
      "status": .integer(exchange.status ?? 0), "bytesDownloaded": .integer(exchange.byteCount),
      "headers": .object(headers),
    ]
  }

  private static func database(
    _ path: String, changed: Int64, records: [JSONValue], _ more: [JSONValue.Member] = []
  ) -> JSONValue {
    .object([
      JSONValue.Member(
        "database",
        .object(
          [
            JSONValue.Member("name", .string(path)),
            JSONValue.Member("changes", ["updated": .integer(changed)]),
            JSONValue.Member("records", .array(records)),
          ] + more))
    ])
  }

  // MARK: Kinds

  internal static func success(_ request: Request, _ exchange: HyperHiveExchange) -> HHFWResult {
    HHFWResult("ok", request, exchange)
  }

  internal static func success(
    _ request: Request, _ load: HyperHiveLoad, database: String
  ) -> HHFWResult {
    HHFWResult(
      "ok", request, load.exchange,
      result: self.database(
        database, changed: load.changedRowCount,
        records: load.tables.map { ["name": .string($0)] },
        [
          JSONValue.Member("version", .integer(load.version)),
          JSONValue.Member("warnings", .array(load.warnings.map { .string($0) })),
        ]))
  }

  internal static func success(
    _ request: Request, database: String, changed: Int64, records: [JSONValue]
  ) -> HHFWResult {
    HHFWResult(
      "ok", request, nil,
      result: self.database(database, changed: changed, records: records))
  }

  internal static func failure(_ request: Request, _ error: any Error) -> HHFWResult {
    guard let error = error as? HyperHiveError else {
      return HHFWResult(
        "error", request, nil,
        errors: [
          [
            "code": 0, "source": .string(HyperHiveError.Source.core.rawValue),
            "description": .string("\(error)"), "descriptions": [.string("\(error)")],
          ]
        ])
    }
    let descriptions = [error.description] + [error.hint].compactMap(\.self)
    return HHFWResult(
      error.reason == .cancelled ? "cancel" : "error", request, error.exchange,
      errors: [
        [
          "code": .integer(error.code), "source": .string(error.source.rawValue),
          "description": .string(error.description),
          "descriptions": .array(descriptions.map { .string($0) }),
        ]
      ])
  }

  // MARK: Forms

  /// The result as JSON text.
  internal var text: String { json.text }

  /// The result as the object that handlers get.
  internal var dictionary: NSDictionary {
    (Self.object(json) as? [String: Any]).map { NSDictionary(dictionary: $0) } ?? NSDictionary()
  }

  private static func object(_ json: JSONValue) -> Any {
    switch json {
    case .null: NSNull()
    case .bool(let value): value
    // Where a word has 32 bits, as on watches, not every number of bytes is an Int.
    case .integer(let value): Int(exactly: value) as Any? ?? value
    // As in the text: no JSON has another, and an app may want to write the result as JSON.
    case .number(let value): value.isFinite ? value : NSNull()
    case .string(let text): text
    case .array(let elements): elements.map { object($0) }
    case .object(let members):
      Dictionary(members.map { ($0.name, object($0.value)) }, uniquingKeysWith: { $1 })
    }
  }
}
