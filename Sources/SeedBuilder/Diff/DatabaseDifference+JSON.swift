import SeedFiles
package import SeedModel

extension DatabaseDifference {
  /// The members of the difference for programs: names do not change between versions, new ones
  /// may come.
  package var json: [JSONValue.Member] {
    [
      JSONValue.Member("equal", .bool(isEmpty)),
      JSONValue.Member("settings", .array(settings.map(\.json))),
      JSONValue.Member("schema", .array(schema.map(\.json))),
      JSONValue.Member("tables", .array(tables.map(\.json))),
      JSONValue.Member("notes", .array(notes.map { .string($0) })),
    ]
  }
}

extension DatabaseDifference.Setting {
  fileprivate var json: JSONValue {
    ["name": .string(name), "old": .integer(old), "new": .integer(new)]
  }
}

extension SchemaChange {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue),
      "name": .string(name),
      "table": .string(table),
      "change": .string(action.rawValue),
      "columns": .array(
        columns.map {
          ["name": .string($0.name), "old": .string($0.old), "new": .string($0.new)]
        }),
      "old_sql": .string(oldSQL),
      "new_sql": .string(newSQL),
    ]
  }
}

extension TableDifference {
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "key": .array(key.map { .string($0) }),
      "rows_added": .integer(addedCount),
      "rows_removed": .integer(removedCount),
      "rows_changed": .integer(changedCount),
      "added": .array(added.map(\.json)),
      "removed": .array(removed.map(\.json)),
      "changed": .array(changed.map(\.json)),
    ]
  }
}

extension TableDifference.Row {
  fileprivate var json: JSONValue {
    ["key": key.json, "values": values.json]
  }
}

extension TableDifference.ChangedRow {
  fileprivate var json: JSONValue {
    [
      "key": key.json,
      "changes": .array(
        changes.map {
          ["column": .string($0.column), "old": $0.old.json, "new": $0.new.json]
        }),
    ]
  }
}

extension [TableDifference.Field] {
  /// An object with the columns in their order.
  fileprivate var json: JSONValue {
    .object(map { JSONValue.Member($0.column, $0.value.json) })
  }
}

extension DiffValue {
  /// The value as JSON has it; an object for a blob and for a part of a long text.
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    // JSON has no infinity; a real that is whole is written with its point.
    case .real(let value): value.isFinite ? .number(value) : ["real": .string("\(value)")]
    case .text(let excerpt):
      excerpt.isWhole
        ? .string(excerpt.content)
        : [
          "text": .string(excerpt.content), "offset": .integer(excerpt.offset),
          "bytes": .integer(excerpt.byteCount),
        ]
    case .blob(let excerpt):
      [
        "blob": .string(SHA256Digest.hexadecimal(excerpt.content)),
        "offset": .integer(excerpt.offset), "bytes": .integer(excerpt.byteCount),
      ]
    }
  }
}
