package import SeedModel

/// What a build is told about its tables, besides what the inputs show.
package struct MappingRules: Sendable, Hashable {
  /// The path of the schema to fill: a `.sql` script or a database as a template.
  package var schema: Located<String>?
  /// Foreign keys that are filled by looking a natural key up.
  package var references: [ReferenceRule] = []
  /// Indexes to create.
  package var indexes: [IndexRule] = []
  /// Tables and columns that updates of the seed may change in an app's database.
  package var owned: [OwnedTable] = []
  /// Whether values and records without a place in the schema are passed over.
  package var ignoresExtra = false

  /// How long the statements of a schema's script, and its triggers for one row, may run, in steps of
  /// SQLite: some ten seconds, in which they could write a gigabyte.
  var mostSteps: Int64 = 500_000_000

  /// No rules: everything is inferred.
  package init() {}

  /// Whether nothing is ruled.
  var isEmpty: Bool { schema == nil && references.isEmpty && indexes.isEmpty }
}
