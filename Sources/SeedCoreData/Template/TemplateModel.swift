internal import SeedModel

/// What the tables of a template show of the model, which is not at hand: entities by their names,
/// attributes by those of columns.
///
/// A column's name is an attribute's in capitals, which matches all the same. Which of the columns of
/// a table an entity has, what is optional, and where a relationship leads, is not in a store.
struct TemplateModel {
  private(set) var model: CoreDataModel
  let layout: StoreLayout

  init(_ template: StoreTemplate) throws {
    let location = SourceLocation(file: template.path)
    let all = template.modelEntities
    var models: [ModelEntity] = []
    var layouts: [EntityLayout] = []
    var tables: [StoreTable] = []
    for (number, entity) in all.enumerated() {
      let root = template.root(of: entity)
      let table = ColumnNames.column(root.name)
      guard entity.id == number + 1 else {
        throw StoreTemplate.failure(
          "entity \"\(entity.name)\" has the number \(entity.id) in Z_PRIMARYKEY of the template, "
            + "and \(number + 1) is expected", template.path,
          hint: "let the app write the template again: create the store, save nothing, and close it"
        )
      }
      guard let columns = template.columns[table] else {
        throw StoreTemplate.failure(
          "the template has no table \(table) for entity \"\(entity.name)\"", template.path,
          hint: "give the model, too, with --model")
      }
      let keys = template.keyColumns[table] ?? []
      let stored = columns.filter { !keys.contains($0.name) }
        .compactMap { StoreColumn(templateColumn: $0.name, $0.type) }
      var model = ModelEntity(entity.name, at: location)
      model.parent = all.first { $0.id == entity.parentID }?.name
      var layout = EntityLayout(
        name: entity.name, id: number + 1, parentID: Int(entity.parentID), root: root.name,
        isAbstract: false, hasChildren: all.contains { $0.parentID == entity.id }, table: table)
      for column in stored {
        let name = String(column.name.dropFirst()).lowercased()
        layout.attributes[name] = column
        if entity.parentID == 0 {
          var attribute = ModelAttribute(name, column.attributeType, at: location)
          attribute.isOptional = true
          attribute.isGuessed = true
          model.attributes.append(attribute)
        }
      }
      if entity.parentID == 0 {
        model.uniquenessConstraints = template.uniqueIndexes.compactMap { index in
          guard index.table == table, let columns = index.plainColumns else { return nil }
          return UniquenessConstraint(
            attributes: columns.map { Located(String($0.dropFirst()).lowercased()) },
            location: location)
        }
        tables.append(
          StoreTable(
            name: table, kind: .entity(root.name),
            columns: columns.filter { !SystemTables.entityColumns.contains($0.name) }.map {
              StoreColumn($0.name, StoreColumn.Kind(declared: $0.type))
            }))
      }
      models.append(model)
      layouts.append(layout)
    }
    model = CoreDataModel(entities: models, identifier: "", file: template.path, warnings: [])
    model.isGuessed = true
    layout = StoreLayout(entities: layouts, tables: tables)
  }
}

extension StoreColumn {
  /// A column of a template that may be an attribute's; nil for one that cannot.
  init?(templateColumn name: String, _ type: String) {
    guard name.hasPrefix("Z"), !SystemTables.entityColumns.contains(name) else { return nil }
    let rest = name.dropFirst()
    // The places in ordered relationships, and the entities of keys: Z_FOK_BOOKS, Z1_BOOK.
    guard let first = rest.first, first != "_", !first.isNumber else { return nil }
    self.init(name, Kind(declared: type))
  }

  /// The type whose values the column holds, as far as it shows.
  var attributeType: AttributeType {
    switch kind {
    case .integer: .integer64
    case .time: .date
    case .float: .double
    case .decimal: .decimal
    case .text: .string
    case .uuid, .transformable, .binary: .binary
    }
  }
}

extension StoreColumn.Kind {
  /// What a column of a declared type holds.
  init(declared type: String) {
    switch type {
    case "TIMESTAMP": self = .time
    case "FLOAT": self = .float
    case "DECIMAL": self = .decimal
    case "VARCHAR": self = .text
    case "BLOB": self = .binary
    default: self = .integer
    }
  }
}
