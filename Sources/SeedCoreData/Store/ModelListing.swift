/// What becomes of a model, for people to read and for SQLite to run: the listing is comments.
package struct ModelListing {
  private let model: CoreDataModel
  private let layout: StoreLayout

  package init(_ model: StoreModel) {
    self.model = model.model
    layout = model.layout
  }

  /// The listing of the entities, then the statements.
  package var text: String {
    let entities = layout.entities.map { listing(of: $0) }.joined(separator: "--\n")
    return entities + "\n" + layout.statements.map { $0 + ";\n" }.joined()
  }

  private func listing(of entity: EntityLayout) -> String {
    var head = "-- \(entity.name): entity \(entity.id) in \(entity.table)"
    if entity.isAbstract { head += ", abstract" }
    if let parent = layout.entity(id: entity.parentID) { head += ", a \(parent.name)" }
    var rows = model.allAttributes(of: entity.name).map { attribute in
      [attribute.name, description(of: attribute), place(of: attribute, entity)]
    }
    rows += model.allRelationships(of: entity.name).map { relationship in
      [relationship.name, description(of: relationship), place(of: relationship, entity)]
    }
    return head + "\n" + Self.aligned(rows)
  }

  private static func aligned(_ rows: [[String]]) -> String {
    let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = (0..<2).map { column in
        row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }
      return "--   " + cells.joined(separator: "  ") + "  " + row[2] + "\n"
    }.joined()
  }

  // MARK: Attributes

  private func description(of attribute: ModelAttribute) -> String {
    attribute.type.rawValue + (attribute.isOptional ? "?" : "")
      + (attribute.derivation.map { " = \($0)" } ?? "")
  }

  private func place(of attribute: ModelAttribute, _ entity: EntityLayout) -> String {
    entity.attributes[attribute.name].map { "\($0.name) \($0.kind.sql)" } ?? "not stored"
  }

  // MARK: Relationships

  private func description(of relationship: ModelRelationship) -> String {
    let number = relationship.isToMany ? "to many" : "to one"
    return "\(number) \(relationship.destination)" + (relationship.isOptional ? "?" : "")
      + (relationship.isOrdered ? ", ordered" : "")
  }

  private func place(of relationship: ModelRelationship, _ entity: EntityLayout) -> String {
    switch entity.relationships[relationship.name] {
    case nil: return "not stored"
    case .own(let key):
      return [
        key.column, key.entityColumn.map { "entity in \($0)" },
        key.orderColumn.map { "place in \($0)" },
      ].compactMap(\.self).joined(separator: ", ")
    case .inverse(let key):
      return "\(key.table).\(key.column)" + (key.orderColumn.map { ", place in \($0)" } ?? "")
    case .join(let place):
      return "\(place.table): \(place.sourceColumn) -> \(place.destinationColumn)"
        + (place.orderColumn.map { ", place in \($0)" } ?? "")
    }
  }
}
