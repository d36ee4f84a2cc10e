/// What has to hold in the rows of a store, as far as it is known: from the model if there is one,
/// else from names that only one thing can have.
struct StoreShape {
  /// An entity as rows name it.
  struct Entity {
    var id: Int64
    var name: String
  }

  /// The table of an entity without a parent and of all that inherit from it.
  struct EntityTable {
    var name: String
    /// The entity without a parent, which has the highest key.
    var root: Entity
    /// The entities whose objects are rows.
    var entities: [Entity]
    /// The ids of the entities that have no objects of their own.
    var abstractIDs: Set<Int64> = []
    var keys: [Key] = []
    var dates: [DateColumn] = []
    var required: [RequiredColumn] = []
    var constraints: [Constraint] = []
    var counts: [Count] = []
    var derived: [DerivedColumn] = []
  }

  /// Columns that have a row for each object of a to-many relationship.
  struct Links {
    var table: String
    /// The column with the key of the object that has the relationship.
    var column: String
  }

  /// How many objects a to-many relationship has.
  struct Count {
    var name: String
    var links: Links
    /// The entity that has the relationship, with the ids of those whose objects are meant.
    var entity: String
    var owners: [Int64]
    var least: Int64
    /// The most; 0 where there is no bound.
    var most: Int64
    /// Whether no object at all is right, too.
    var mayBeNone: Bool
    /// Whether the least is one only since the relationship is not optional.
    var isOnlyRequired: Bool
  }

  /// A column with the number of a relationship's objects.
  struct DerivedColumn {
    var name: String
    var column: String
    var relationship: String
    var links: Links
    var owners: [Int64]
  }

  /// The other side of a one-to-one relationship.
  struct Inverse {
    var name: String
    var column: String
    var entityColumn: String?
  }

  /// The columns of a to-one relationship.
  struct Key {
    /// The relationship; where only the store is known, the column without its `Z`.
    var name: String
    var column: String
    var entityColumn: String?
    var orderColumn: String?
    /// Where it leads; nil where the store does not tell.
    var target: Target?
    /// Whether it stands for a to-many relationship without an inverse, which leads from there.
    var isReverse = false
    /// The columns in the row referred to that have to lead back.
    var inverse: Inverse?
  }

  /// Rows that a column may refer to.
  struct Target {
    var table: String
    /// The entities of which one has to be that of the row; nil for any.
    var ids: [Int64]?
    /// The name of the entity that the relationship leads to.
    var entity: String
  }

  /// A column with points in time.
  struct DateColumn {
    /// The attribute; where only the store is known, the column without its `Z`.
    var name: String
    var column: String
    /// The latest time that the model allows.
    var latest: Double?
  }

  /// A column that is never NULL in rows of some entities.
  struct RequiredColumn {
    var name: String
    var column: String
    /// The ids of the entities.
    var owners: [Int64]
    var isRelationship: Bool
  }

  /// Columns whose values together occur only once.
  struct Constraint {
    var entity: String
    var names: [String]
    var columns: [String]
  }

  /// The table of a many-to-many relationship.
  struct Join {
    var name: String
    var ends: [End]
    /// The columns with places in ordered relationships, each with what is ordered and the column of
    /// the object that has the relationship.
    var orders: [(column: String, name: String, owner: String?)]
  }

  /// One of the two columns of a table between.
  struct End {
    var column: String
    var target: Target?
    /// The relationship at whose end the objects of the column are.
    var name: String
  }

  var tables: [EntityTable] = []
  var joins: [Join] = []
  /// The names of all entities by their ids.
  var names: [Int64: String] = [:]

  /// The part whose tables are sound enough to be queried.
  func queryable(in catalog: StoreCatalog) -> StoreShape {
    func sound(_ target: Target?) -> Target? {
      target.flatMap { catalog.faults(ofEntityTable: $0.table).isEmpty ? $0 : nil }
    }
    var shape = self
    shape.tables = tables.filter { catalog.faults(ofEntityTable: $0.name).isEmpty }
    for index in shape.tables.indices {
      for key in shape.tables[index].keys.indices {
        shape.tables[index].keys[key].target = sound(shape.tables[index].keys[key].target)
      }
      shape.tables[index].counts.removeAll { !catalog.has($0.links) }
      shape.tables[index].derived.removeAll { !catalog.has($0.links) }
    }
    for index in shape.joins.indices {
      for end in shape.joins[index].ends.indices {
        shape.joins[index].ends[end].target = sound(shape.joins[index].ends[end].target)
      }
    }
    return shape
  }
}

extension StoreCatalog {
  /// Whether the columns that link objects are there.
  fileprivate func has(_ links: StoreShape.Links) -> Bool {
    table(links.table)?.column(links.column) != nil
  }
}
