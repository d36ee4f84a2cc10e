internal import SeedModel
internal import SeedSQLite

/// What rows of one kind of objects begin with, and what they need.
struct ObjectShape {
  /// A value that comes from an element around the object.
  struct OuterValue {
    /// The roles that may keep it, the nearest first, with the numbers of their slots.
    var slots: [(role: Int, slot: Int)]
    var sink: Int
  }

  /// A column that must not be empty.
  struct Requirement {
    var column: Int
    var attribute: String
  }

  /// A column whose default must not be stored, by the rules for the values of records.
  struct WrongDefault {
    var column: Int
    var attribute: String
    var fault: String
  }

  let entity: Int
  let table: Int
  /// The number in `Z_ENT`.
  let id: Int64
  let columnCount: Int
  /// What stands in the columns of an object of which nothing is said.
  let template: UnsafeMutablePointer<BoundValue>
  var requirements: [Requirement] = []
  private(set) var wrongDefaults: [WrongDefault] = []
  /// The columns of to-one relationships that are not optional.
  private(set) var requiredKeys: [Int] = []
  let counterCount: Int
  var outerValues: [OuterValue] = []
  private var owned: [UnsafeMutablePointer<UInt8>] = []

  init(_ entity: Int, _ plan: StorePlan) {
    let planned = plan.entities[entity]
    self.entity = entity
    table = planned.table
    id = Int64(planned.layout.id)
    columnCount = plan.tables[planned.table].columns.count
    counterCount = planned.relationships.count
    template = .allocate(capacity: columnCount)
    template.initialize(repeating: .null, count: columnCount)
    template[StorePlan.entityColumn] = .integer(id)
    template[StorePlan.versionColumn] = .integer(1)
    for attribute in planned.attributes {
      guard let column = attribute.column, attribute.model.derivation == nil else { continue }
      if let value = ModelDefault(attribute.model) {
        set(column, value.value)
        if let fault = value.fault {
          wrongDefaults.append(
            WrongDefault(column: column, attribute: attribute.model.name, fault: fault))
        }
      }
      if !attribute.model.isOptional {
        requirements.append(Requirement(column: column, attribute: attribute.model.name))
      }
    }
    for relationship in planned.relationships where relationship.needsObject {
      guard case .own(let key) = planned.layout.relationships[relationship.name] else { continue }
      requiredKeys.append(plan.tables[table].column(key.column))
    }
  }

  func deallocate() {
    template.deallocate()
    for bytes in owned { bytes.deallocate() }
  }

  /// Gives a column a value that every object has unless it says otherwise.
  mutating func set(_ column: Int, _ value: SQLiteValue) {
    // It stands in the place of the model's.
    wrongDefaults.removeAll { $0.column == column }
    switch value {
    case .null: template[column] = .null
    case .integer(let number):
      template[column] = .integer(number)
    case .real(let number): template[column] = .real(number)
    case .text(let text): template[column] = keep(Array(text.utf8), as: .text)
    case .blob(let bytes): template[column] = keep(bytes, as: .blob)
    }
  }

  private mutating func keep(_ bytes: [UInt8], as kind: BoundValue.Kind) -> BoundValue {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    memory.update(from: bytes, count: bytes.count)
    owned.append(memory)
    return BoundValue(
      kind: kind, count: Int32(truncatingIfNeeded: bytes.count),
      bits: BoundValue.address(UnsafePointer(memory)))
  }
}
