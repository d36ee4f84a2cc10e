package import SeedModel

/// What Core Data's SQLite store makes of a model: which table and which column has what.
///
/// Rows are written by it, and stores are read and checked by it. The statements are those that
/// Core Data writes, in its order: ``tables``, ``indexes``, ``triggers``, then those of
/// ``SystemTables``.
package struct StoreLayout: Sendable {
  /// The entities in the order of their ids; the first has 1.
  package let entities: [EntityLayout]
  /// The tables in the order in which they are created.
  package let tables: [StoreTable]
  /// The statements that create the indexes, in their order.
  package let indexes: [String]
  /// The statements that keep derived attributes right.
  ///
  /// They call functions that only Core Data has: rows must be there before them.
  package let triggers: [String]
  /// What was read in a public text only, and in no store.
  package let warnings: [Diagnostic]
  private let indices: [String: Int]

  /// Lays out a model.
  ///
  /// - Throws: ``ModelErrors`` for what is not known well enough.
  package init(_ model: CoreDataModel) throws(ModelErrors) {
    var planner = LayoutPlanner(model)
    try planner.run()
    entities = planner.entities
    indices = Dictionary(
      entities.map { ($0.name, $0.id - 1) }, uniquingKeysWith: { first, _ in first })
    tables = planner.tables
    indexes = IndexPlanner(model: model, layout: planner).statements
    triggers = TriggerPlanner(model: model, layout: planner).statements
    warnings = planner.warnings
    try checkNames(file: model.file)
  }

  /// A layout that was found in a store, without what is made of a model.
  init(entities: [EntityLayout], tables: [StoreTable]) {
    self.entities = entities
    self.tables = tables
    indexes = []
    triggers = []
    warnings = []
    indices = Dictionary(
      entities.map { ($0.name, $0.id - 1) }, uniquingKeysWith: { first, _ in first })
  }

  /// Refuses names that two tables or indexes would share, as `A_B` with `c` and `A` with `B_c` do.
  private func checkNames(file: String) throws(ModelErrors) {
    var seen: Set<String> = []
    for statement in tables.map(\.createSQL) + indexes {
      let words = statement.split(separator: " ", maxSplits: 4)
      let name = String(words[words[1] == "UNIQUE" ? 3 : 2])
      guard !seen.insert(name.lowercased()).inserted else { continue }
      throw ModelErrors([
        ModelError(
          .uncovered(.init(what: "two things that are both called \"\(name)\"", isOnlyHash: false)),
          at: SourceLocation(file: file))
      ])
    }
  }

  /// The entity of a name.
  package func entity(_ name: String) -> EntityLayout? { indices[name].map { entities[$0] } }

  /// The entity of a number in `Z_ENT`.
  package func entity(id: Int) -> EntityLayout? {
    entities.indices.contains(id - 1) ? entities[id - 1] : nil
  }

  /// Every statement that makes an empty store, in Core Data's order.
  package var statements: [String] {
    tables.map(\.createSQL) + indexes + triggers + SystemTables.statements
  }
}
