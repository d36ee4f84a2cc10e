package import SeedModel

extension StoreReport {
  /// The report for programs: member names do not change between versions, new ones may come.
  package var json: JSONValue {
    [
      "uuid": .string(uuid),
      "framework_version": .integer(frameworkVersion),
      "model_identifiers": .array(modelIdentifiers.map { .string($0) }),
      "hashes_version": .integer(hashesVersion),
      "checksum": .string(checksum),
      "model_known": .bool(isModelKnown),
      "entities": .array(entities.map(\.json)),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension StoreReport.Entity {
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "id": .integer(id),
      "parent": .string(parent),
      "abstract": isAbstract.map { .bool($0) } ?? .null,
      "table": .string(table),
      "rows": .integer(rowCount),
      "attributes": .array(attributes.map(\.json)),
      "relationships": .array(relationships.map(\.json)),
    ]
  }
}

extension StoreReport.Attribute {
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "types": .array(types.map { .string($0) }),
      "optional": isOptional.map { .bool($0) } ?? .null,
      "derived_from": .string(derivation),
      "column": .string(column),
    ]
  }
}

extension StoreReport.Relationship {
  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "destination": .string(destination),
      "to_many": .bool(isToMany),
      "ordered": .bool(isOrdered),
      "optional": isOptional.map { .bool($0) } ?? .null,
      "inverse": .string(inverse),
      "table": .string(table),
      "columns": .array(columns.map { .string($0) }),
    ]
  }
}
