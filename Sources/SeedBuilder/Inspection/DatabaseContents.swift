/// A report on a database together with the beginning of what is in it.
package struct DatabaseContents: Sendable, Hashable {
  /// What `seed inspect` says about the database.
  package var report: DatabaseReport
  /// The first rows of each table, in the order of the report's tables.
  package var samples: [TableSample]
  /// The SQL of the views, then of the triggers, each by name.
  package var definitions: [SchemaDefinition]

  /// Creates the contents of a database.
  package init(
    report: DatabaseReport, samples: [TableSample], definitions: [SchemaDefinition]
  ) {
    self.report = report
    self.samples = samples
    self.definitions = definitions
  }
}
