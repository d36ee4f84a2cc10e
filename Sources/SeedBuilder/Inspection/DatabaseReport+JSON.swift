import SeedFormat
package import SeedModel

extension DatabaseReport {
  /// The report for programs: member names do not change between versions, new ones may come.
  package var json: JSONValue {
    [
      "path": .string(path),
      "bytes": .integer(byteCount),
      "page_size": .integer(pageSize),
      "pages": .integer(pageCount),
      "free_pages": .integer(freePageCount),
      "encoding": .string(textEncoding),
      "wal_mode": .bool(isWriteAheadLogging),
      "user_version": .integer(userVersion),
      "application_id": .integer(applicationID),
      "stamp": stamp?.json ?? .null,
      "tables": .array(tables.map(\.json)),
      "views": .array(views.map { .string($0) }),
      "triggers": .array(
        triggers.map { ["name": .string($0.name), "table": .string($0.table)] }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension SeedStamp {
  /// The stamp for programs.
  package var json: JSONValue {
    [
      "format": .integer(format),
      "name": .string(name),
      "version": .string(version),
      "content_sha256": .string(contentSHA256),
      "tool": .string(tool),
      "inputs_sha256": .string(inputsSHA256),
    ]
  }
}

extension TableReport {
  /// The table for programs.
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "kind": .string(kind.rawValue),
      "without_rowid": .bool(isWithoutRowID),
      "strict": .bool(isStrict),
      "rows": .integer(rowCount),
      "bytes": .integer(byteCount),
      "columns": .array(columns.map(\.json)),
      "indexes": .array(indexes.map(\.json)),
      "foreign_keys": .array(foreignKeys.map(\.json)),
    ]
  }
}

extension TableReport.Column {
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "type": .string(declaredType),
      "not_null": .bool(isNotNull),
      "primary_key": .integer(primaryKeyPosition.map(Int64.init)),
      "default": .string(defaultValue),
      "generated": .bool(isGenerated),
    ]
  }
}

extension TableReport.Index {
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "columns": .array(columns.map { .string($0) }),
      "unique": .bool(isUnique),
      "partial": .bool(isPartial),
      "bytes": .integer(byteCount),
    ]
  }
}

extension TableReport.ForeignKey {
  fileprivate var json: JSONValue {
    [
      "columns": .array(columns.map { .string($0) }),
      "parent": .string(parentTable),
      "parent_columns": .array(parentColumns.map { .string($0) }),
      "on_delete": .string(onDelete),
      "on_update": .string(onUpdate),
    ]
  }
}
