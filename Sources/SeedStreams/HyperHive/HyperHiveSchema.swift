internal import SeedModel

/// A column of a table, in the order of the values in a row.
internal struct HyperHiveColumn: Sendable, Hashable {
  /// What a column takes, and how it is stored.
  internal enum Kind: String, Sendable, Hashable {
    case integer, real, text
    /// Text made of whatever comes: a type that is not known.
    case anyText

    /// The type in the statement that makes the table.
    internal var sqlType: String {
      switch self {
      case .integer: "INTEGER"
      case .real: "REAL"
      case .text, .anyText: "TEXT"
      }
    }
  }

  internal var name: String
  /// The type as the server calls it.
  internal var type: String
  internal var isKey: Bool

  internal var kind: Kind { HyperHiveRules.kind(ofType: type) ?? .anyText }
}

/// A table of a resource.
internal struct HyperHiveTable: Sendable, Hashable {
  internal var name: String
  internal var columns: [HyperHiveColumn]
}

/// The resources of a project with their tables.
internal struct HyperHiveSchema: Sendable, Hashable {
  /// A resource and the tables that its answers have.
  internal struct Resource: Sendable, Hashable {
    internal var name: String
    internal var tables: [HyperHiveTable]
  }

  internal var resources: [Resource] = []
  /// What is not known about it, in words.
  internal var warnings: [String] = []

  /// Reads the answer to a request for the schema.
  ///
  /// - Throws: ``HyperHiveError`` with the place in the document.
  internal init(_ bytes: [UInt8]) throws(HyperHiveError) {
    if let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "<") {
      throw HyperHiveError(.webPage, place: "schema")
    }
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw HyperHiveError(.malformedAnswer("the schema is no JSON: \(error)"), place: "schema")
    }
    guard case .object(let members) = json else {
      throw HyperHiveError(.malformedAnswer("the schema is no object"), place: "schema")
    }
    for member in members {
      guard case .object = member.value else {
        throw HyperHiveError(
          .malformedAnswer("a resource is no object"), place: "schema/\(member.name)")
      }
      try check(member.name, "a resource", "schema")
      resources.append(
        Resource(name: member.name, tables: try tables(of: member.value, member.name)))
    }
  }

  /// Refuses a name that SQL has no way to write.
  private func check(
    _ name: String, _ kind: String, _ place: String
  ) throws(HyperHiveError) {
    guard name.utf8.contains(0) else { return }
    throw HyperHiveError(.malformedAnswer("\(kind) has an unusable name"), place: place)
  }

  private mutating func tables(
    of resource: JSONValue, _ name: String
  ) throws(HyperHiveError) -> [HyperHiveTable] {
    var found: [(String?, JSONValue)] = []
    switch resource["output"] {
    case .object(let members)?: found = members.map { ($0.name, $0.value) }
    case .array(let elements)?: found = elements.map { ($0["name"]?.stringValue, $0) }
    default: return []
    }
    var tables: [HyperHiveTable] = []
    var seen: Set<String> = []
    for (table, json) in found {
      let place = "schema/\(name)/output/\(table ?? "")"
      guard let table, !table.isEmpty else {
        throw HyperHiveError(.malformedAnswer("a table has no name"), place: place)
      }
      try check(table, "a table", "schema/\(name)/output")
      // SQLite takes names that differ in case alone for the same.
      guard seen.insert(table.lowercased()).inserted else {
        throw HyperHiveError(.malformedAnswer("the table stands twice"), place: place)
      }
      // What is not described is taken from the data.
      guard let list = json["columns"]?.arrayValue, !list.isEmpty else { continue }
      tables.append(HyperHiveTable(name: table, columns: try columns(list, place)))
    }
    return tables
  }

  private mutating func columns(
    _ list: [JSONValue], _ place: String
  ) throws(HyperHiveError) -> [HyperHiveColumn] {
    var columns: [HyperHiveColumn] = []
    for json in list {
      guard let name = json["name"]?.stringValue, !name.isEmpty else {
        throw HyperHiveError(.malformedAnswer("a column has no name"), place: place)
      }
      try check(name, "a column", place)
      guard !columns.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw HyperHiveError(
          .malformedAnswer("the column \"\(name)\" stands twice"), place: place)
      }
      let type = json["type"]?.stringValue ?? ""
      if HyperHiveRules.kind(ofType: type) == nil {
        warnings.append("\(place): the type \"\(type)\" of column \"\(name)\" is taken for TEXT")
      }
      columns.append(
        HyperHiveColumn(name: name, type: type, isKey: json["key"] == .bool(true)))
    }
    return columns
  }
}
