internal import SeedFiles
internal import SeedModel

/// The input parameters of a resource, in the form by which their tables are named.
internal struct HyperHiveParameters: Sendable, Hashable {
  /// JSON with sorted members and without blanks; `null` for none.
  internal let canonicalText: String

  /// No parameters.
  internal init() {
    self.init(canonicalText: HyperHiveRules.noParameters)
  }

  private init(canonicalText: String) {
    self.canonicalText = canonicalText
  }

  /// Reads the JSON text of parameters; nil, an empty text and `null` are none.
  ///
  /// - Throws: ``HyperHiveError`` when it is no JSON object.
  internal init(json text: String?) throws(HyperHiveError) {
    guard let text, text.contains(where: { !$0.isWhitespace }) else {
      self.init()
      return
    }
    do throws(JSONError) {
      let value = try JSONValue(parsing: Array(text.utf8))
      try self.init(value)
    } catch {
      throw HyperHiveError(
        .invalidArgument("the parameters are no JSON: \(error)"), place: "requestParams")
    }
  }

  /// Takes parameters that are read already.
  ///
  /// - Throws: ``JSONError`` when they are no object.
  internal init(_ value: JSONValue) throws(JSONError) {
    switch value {
    case .null: self.init()
    case .object: self.init(canonicalText: Self.text(of: value))
    default:
      throw JSONError(
        .unexpected(found: "another value", expected: "an object"), at: SourceLocation(file: ""))
    }
  }

  /// What a request carries.
  internal var body: [UInt8] {
    Array((isEmpty ? HyperHiveRules.emptyBody : canonicalText).utf8)
  }

  /// Whether there are none.
  internal var isEmpty: Bool { canonicalText == HyperHiveRules.noParameters }

  /// MD5 of the canonical text: a part of the names of tables that are cached by parameters.
  internal var digest: String { MD5Digest.hexadecimal(of: Array(canonicalText.utf8)) }

  private static func text(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): value.description
    case .string(let value): string(value)
    case .array(let elements): "[" + elements.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        .map { "\(string($0.name)):\(text(of: $0.value))" }.joined(separator: ",") + "}"
    }
  }

  private static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// What a load is about: a resource with its parameters, and whether tables are named after both.
internal struct HyperHiveScope: Sendable, Hashable {
  internal var resource: String
  internal var parameters: HyperHiveParameters
  internal var isCached: Bool

  /// The part of table names that parameters give; empty where tables are named by resource alone.
  internal var cacheKey: String { isCached ? parameters.digest : "" }

  /// The name of a table of the answer in the local database.
  internal func localName(of table: String) -> String {
    HyperHiveRules.tablePrefix(resource: resource, cacheKey: isCached ? parameters.digest : nil)
      + table
  }
}

extension HyperHiveScope {
  /// A scope that a server can be asked for.
  ///
  /// - Throws: ``HyperHiveError`` for a name that no address has, and for parameters that are none.
  internal init(
    checking resource: String, parameters: String?, isCached: Bool
  ) throws(HyperHiveError) {
    guard !resource.isEmpty, !resource.utf8.contains(0) else {
      throw HyperHiveError(.invalidArgument("a resource has a name"), place: "resource")
    }
    // In an address these lead to other places.
    guard ![".", ".."].contains(resource) else {
      throw HyperHiveError(
        .invalidArgument("no address names the resource \"\(resource)\""), place: "resource")
    }
    self.init(
      resource: resource, parameters: try HyperHiveParameters(json: parameters),
      isCached: isCached)
  }
}
