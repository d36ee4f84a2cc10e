internal import SeedModel

/// Writes the triggers that keep the counts of derived attributes.
struct TriggerPlanner {
  /// The statements, entity by entity.
  let statements: [String]

  init(model: CoreDataModel, layout: LayoutPlanner) {
    statements = layout.entities.flatMap { entity in
      (model.entity(entity.name)?.attributes ?? [])
        .sorted { EntityOrder.isBefore($0.name, $1.name) }
        .flatMap { Self.triggers(for: $0, of: entity) }
    }
  }

  private static func triggers(for attribute: ModelAttribute, of entity: EntityLayout) -> [String] {
    guard let derivation = attribute.derivation, let column = entity.attributes[attribute.name],
      let relationship = derivation.split(separator: ".").first,
      case .inverse(let key)? = entity.relationships[String(relationship)]
    else { return [] }
    return Count(
      table: entity.table, entity: entity.name, attribute: attribute.name, column: column.name,
      key: key
    ).triggers
  }

  /// The count of the rows that refer to a row.
  private struct Count {
    var table: String
    var entity: String
    var attribute: String
    var column: String
    var key: ForeignKey

    var triggers: [String] {
      [
        change("INSERT", "AFTER INSERT", row: "NEW", to: "IFNULL(\(column), 0) + 1"),
        change("UPDATE_INCREMENT", onUpdate, row: "NEW", to: "\(column) + 1"),
        change("UPDATE_DECREMENT", onUpdate, row: "OLD", to: "\(column) - 1"),
        change("DELETE", "AFTER DELETE", row: "OLD", to: "\(column) - 1"),
        insertion,
      ]
    }

    private var onUpdate: String { "AFTER UPDATE OF \(key.column)" }

    /// What a row that refers to others changes in theirs.
    private func change(_ name: String, _ event: String, row: String, to value: String) -> String {
      let reference = "\(row).\(key.column)"
      return "CREATE TRIGGER Z_DA_\(key.table)_\(entity)_\(attribute)_PARAMETER_\(name) "
        + "\(event) ON \(key.table) FOR EACH ROW WHEN (\(reference) NOT NULL) "
        + "BEGIN UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(reference); "
        + "SELECT \(notification("Updated")) FROM \(table) WHERE Z_PK = \(reference); END"
    }

    /// What a new row starts with.
    private var insertion: String {
      "CREATE TRIGGER Z_DA_\(table)_\(entity)_\(attribute)_SOURCE_INSERT "
        + "AFTER INSERT ON \(table) FOR EACH ROW "
        + "BEGIN UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(key.column)), 0) "
        + "FROM \(key.table) WHERE \(key.column) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
        + "SELECT \(notification("InsertUpdated")) FROM \(table) WHERE Z_PK = NEW.Z_PK; END"
    }

    private func notification(_ kind: String) -> String {
      "NSCoreDataDATrigger\(kind)AffectedObjectValue"
        + "('\(table)', Z_ENT, Z_PK, '\(attribute)', \(column))"
    }
  }
}
