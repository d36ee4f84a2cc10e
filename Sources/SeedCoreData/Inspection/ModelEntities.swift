/// The entities of a store as its model has them.
struct ModelEntities {
  let store: StoreModel
  let counts: RowCounts

  var entities: [StoreReport.Entity] {
    store.layout.entities.compactMap { layout in
      guard let declared = store.model.entity(layout.name) else { return nil }
      return StoreReport.Entity(
        name: layout.name, id: Int64(layout.id), parent: declared.parent,
        isAbstract: layout.isAbstract, hasChildren: layout.hasChildren, table: layout.table,
        rowCount: counts.count(Int64(layout.id), in: layout.table),
        attributes: declared.attributes.sorted { EntityOrder.isBefore($0.name, $1.name) }.map {
          attribute($0, of: layout)
        },
        relationships: LayoutPlanner.sorted(declared.relationships).map {
          relationship($0, of: layout)
        })
    }
  }

  private func attribute(
    _ attribute: ModelAttribute, of entity: EntityLayout
  ) -> StoreReport.Attribute {
    StoreReport.Attribute(
      name: attribute.name, types: [attribute.type.rawValue], isOptional: attribute.isOptional,
      derivation: attribute.derivation, column: entity.attributes[attribute.name]?.name)
  }

  private func relationship(
    _ relationship: ModelRelationship, of entity: EntityLayout
  ) -> StoreReport.Relationship {
    var result = StoreReport.Relationship(
      name: relationship.name, destination: relationship.destination,
      isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
      isOptional: relationship.isOptional, inverse: relationship.inverse, columns: [])
    switch entity.relationships[relationship.name] {
    case .own(let key), .inverse(let key):
      result.table = key.table
      result.columns = [key.column]
    case .join(let join):
      result.table = join.table
      result.columns = [join.sourceColumn, join.destinationColumn]
    case nil: break
    }
    return result
  }
}
