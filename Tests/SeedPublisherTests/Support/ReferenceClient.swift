import Foundation
import SeedModel
import SeedPublisher
import SeedSQLite
import SeedStreams

/// A client as simple as can be: it takes segments word by word, deletes first and then inserts, so
/// that a value of a UNIQUE index must be free by then.
struct ReferenceClient {
  let connection: Connection
  /// Makes tables and columns that a checkpoint did not have yet.
  var migration: (Connection, StreamHead) throws -> Void = { _, _ in }

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// Applies a segment's text at a position.
  func apply(_ text: String, at position: (seq: Int64, id: String)) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.last == "" else { throw Fault(description: "the last line is not ended") }
    let header = try JSONValue(parsing: Array(lines[0].utf8))
    guard let from = header["from"]?.integerValue,
      header["ids"]?.arrayValue?[Int(position.seq - from)].stringValue == position.id
    else { throw Fault(description: "the id at \(position.seq) is another one") }
    try connection.execute("BEGIN")
    var statement: Statement?
    var rows: Int64 = 0
    for line in lines[1..<lines.count - 1] {
      let value = try JSONValue(parsing: Array(line.utf8))
      if let values = value.arrayValue {
        guard let statement else { throw Fault(description: "a row without a section") }
        for (index, element) in values.enumerated() {
          try statement.bind(Int32(index + 1), try Self.value(of: element))
        }
        try statement.run()
        rows += 1
      } else if let end = value["end"] {
        guard end["rows"]?.integerValue == rows else { throw Fault(description: "wrong count") }
      } else {
        statement = try section(value)
      }
    }
    try connection.execute("COMMIT")
  }

  private func section(_ value: JSONValue) throws -> Statement {
    guard let table = value["table"]?.stringValue else {
      throw Fault(description: "a line of an unknown kind")
    }
    let name = SQLiteName.quoted(table)
    func quoted(_ list: JSONValue) -> [String] {
      (list.arrayValue ?? []).compactMap(\.stringValue).map { SQLiteName.quoted($0) }
    }
    if let list = value["delete"] {
      let conditions = quoted(list).enumerated().map {
        "(\($1) = ?\($0 + 1) COLLATE BINARY AND typeof(\($1)) = typeof(?\($0 + 1)))"
      }
      return try connection.prepare(
        "DELETE FROM \(name) WHERE \(conditions.joined(separator: " AND "))")
    }
    let columns = quoted(value["upsert"] ?? .null)
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let updates = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    let published = try PublishedTables.tables(of: "main", in: connection)
      .first { $0.table.name == table }
    guard let published else { throw Fault(description: "no table \(table)") }
    let key = zip(published.table.key, published.keyCollations)
      .map { SQLiteName.quoted($0) + ($1 == "BINARY" ? "" : " COLLATE \($1)") }.joined(
        separator: ", ")
    return try connection.prepare(
      """
      INSERT INTO \(name)(\(columns.joined(separator: ", "))) VALUES(\(places))
      ON CONFLICT(\(key)) DO UPDATE SET \(updates)
      """)
  }

  static func value(of element: JSONValue) throws -> SQLiteValue {
    switch element {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .number(let value): return .real(value)
    case .string(let text): return .text(text)
    case .object:
      if let text = element["b"]?.stringValue, let data = Data(base64Encoded: text) {
        return .blob([UInt8](data))
      }
      if element["r"] == "inf" { return .real(.infinity) }
      if element["r"] == "-inf" { return .real(-.infinity) }
    default: break
    }
    throw Fault(description: "an unknown value: \(element)")
  }

  /// All rows of the stream's tables, by key.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - other: A database whose tables and columns are looked at; its own without one.
  static func state(
    of connection: Connection, like other: Connection? = nil
  ) throws -> [String: [[SQLiteValue]]] {
    var state: [String: [[SQLiteValue]]] = [:]
    for table in try PublishedTables.tables(of: "main", in: other ?? connection) {
      let columns = table.table.columns.map { SQLiteName.quoted($0.name) }
        .sorted().joined(separator: ", ")
      let key = table.table.key.map { SQLiteName.quoted($0) }.joined(separator: ", ")
      state[table.table.name] = try connection.rows(
        "SELECT \(columns) FROM \(SQLiteName.quoted(table.table.name)) ORDER BY \(key)")
    }
    return state
  }
}
