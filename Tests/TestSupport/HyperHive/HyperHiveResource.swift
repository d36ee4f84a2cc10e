/// A resource of a HyperHive test server: its tables with the rows that they had at each version.
package struct HyperHiveResource: Sendable {
  /// A column as the schema describes it.
  package struct Column: Sendable {
    package var name: String
    package var type: String
    package var isKey: Bool

    /// A column.
    package init(_ name: String, _ type: String, isKey: Bool = false) {
      self.name = name
      self.type = type
      self.isKey = isKey
    }
  }

  /// A table; each value of a row is JSON.
  package struct Table: Sendable {
    package var name: String
    /// The columns; nil if the schema does not describe the table.
    package var columns: [Column]?
    package var rows: [[String]]

    /// A table.
    package init(_ name: String, columns: [Column]?, rows: [[String]]) {
      self.name = name
      self.columns = columns
      self.rows = rows
    }
  }

  package var name: String
  /// The tables at each version, the first being version 1.
  package var versions: [[Table]]
  /// The oldest version of which changes are known.
  package var oldestVersion = 0
  /// Whether the schema lists the tables instead of naming them by members.
  package var listsTables = false
  /// Answers in place of all tables, made while they are sent.
  package var writer: (@Sendable (_ send: ([UInt8]) -> Bool) -> Void)?

  /// A resource at its first version.
  package init(_ name: String, _ tables: Table...) {
    self.name = name
    versions = [tables]
  }

  package var currentVersion: Int { versions.count }

  /// Changes rows, which raises the version.
  package mutating func change(_ body: (inout [Table]) -> Void) {
    var tables = versions[versions.count - 1]
    body(&tables)
    versions.append(tables)
  }

  /// The description of the resource in the schema.
  package var schema: String {
    let tables = (versions.last ?? []).compactMap { table -> String? in
      guard let columns = table.columns else { return nil }
      let list = columns.map {
        #"{"name":"\#($0.name)","type":"\#($0.type)"\#($0.isKey ? #","key":true"# : "")}"#
      }
      let body = #""columns":[\#(list.joined(separator: ","))]"#
      return listsTables
        ? #"{"name":"\#(table.name)",\#(body)}"# : #""\#(table.name)":{\#(body)}"#
    }.joined(separator: ",")
    let output = listsTables ? "[\(tables)]" : "{\(tables)}"
    return #"""
      "\#(name)":{"name":"\#(name)","type":"tabular","input":{"scalar":[]},"output":\#(output)}
      """#
  }

  /// The document with all rows.
  package var whole: String {
    let tables = (versions.last ?? []).map { table in
      let rows = table.rows.map { "[" + $0.joined(separator: ",") + "]" }
      return #"{"name":"\#(table.name)","data":[\#(rows.joined(separator: ","))]}"#
    }
    return "[" + tables.joined(separator: ", ") + "]"
  }

  /// The document with what has changed since a version.
  package func delta(since version: Int) -> String {
    let before = version > 0 ? versions[version - 1] : []
    let tables = (versions.last ?? []).map { table in
      let old = before.first { $0.name == table.name }?.rows ?? []
      let kept = Set(table.rows.map { $0[0] })
      let known = Set(old.map { $0.joined(separator: ",") })
      let inserted = table.rows.map { $0.joined(separator: ",") }.filter { !known.contains($0) }
      let deleted = old.map { $0[0] }.filter { !kept.contains($0) }
      return #"""
        {"name":"\#(table.name)","insert_rows":[\#(inserted.map { "[\($0)]" }.joined(separator: ","))],\#
        "delete_ids":[\#(deleted.joined(separator: ","))]}
        """#
    }
    return "[" + tables.joined(separator: ", ") + "]"
  }
}
