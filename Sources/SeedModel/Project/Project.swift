/// A whole build as a project file (`seed.json`) declares it.
package struct Project: Sendable, Hashable {
  /// The project file's path as it was given; paths in it are relative to its folder.
  package var path: String
  /// The database to write, relative to the project file.
  package var output: Located<String>?
  /// The schema to fill: a `.sql` script, a database as a template, or a Core Data model.
  package var schema: Located<String>?
  /// What the build reads, in the order declared.
  package var sources: [ProjectSource] = []
  /// Foreign keys that are filled by looking a natural key up.
  package var references: [ReferenceRule] = []
  /// Indexes to create, such as `event(time_stamp)`.
  package var indexes: [IndexRule] = []
  /// Tables and columns that the seed owns: all others belong to the app once it is shipped.
  package var owned: [OwnedTable] = []
  /// The streams that go on from the database.
  package var streams: [StreamRule] = []
  /// `PRAGMA user_version`.
  package var userVersion: Located<Int32>?
  /// `PRAGMA application_id`.
  package var applicationID: Located<Int32>?
  /// The seed's name, for the stamp; without it, that of the first source's root.
  package var name: Located<String>?
  /// The seed's version, for the stamp.
  package var version: Located<String>?
  /// Pragmas that are stored in the database, such as `page_size`.
  package var pragmas: [PragmaRule] = []
  /// Whether values without a column are passed over.
  package var ignoresExtra: Bool = false
  /// Whether the build collects statistics for the query planner.
  package var analyzes: Bool = false
  /// How dates are written in all sources, such as `dd.MM.yyyy`.
  package var dateFormat: Located<String>?
  /// The zone of times that name none.
  package var timeZone: Located<String>?

  /// A project in which nothing is declared.
  package init(path: String) {
    self.path = path
  }
}
