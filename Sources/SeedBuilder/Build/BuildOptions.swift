package import SeedModel

/// Everything that decides a build; the same options and inputs give the same bytes.
package struct BuildOptions: Sendable {
  /// The sources, in the order given.
  package var inputs: [BuildInput]
  /// The path of the database to write; empty when only the schema is wanted.
  package var output: String
  /// Tables that are taken over as they are, beside those of the sources.
  package var contributions: [TableContribution] = []
  /// The pattern that dates follow, such as `dd.MM.yyyy`.
  package var dateFormat: String?
  /// The zone of times that name none.
  package var timeZone: String?
  /// What is ruled of tables and columns.
  package var mapping = MappingRules()
  /// The streams that go on from the database; nil for none.
  package var streams: StreamDeclaration?
  /// Whether records are staged first even where nothing is ruled; the result is the same.
  var alwaysMaps = false
  /// `PRAGMA user_version`; without it, the schema's own.
  package var userVersion: Int32?
  /// `PRAGMA application_id`; without it, the schema's own.
  package var applicationID: Int32?
  /// The seed's name for the stamp; without it, the name of the first input's root.
  package var seedName: String?
  /// The seed's version for the stamp.
  package var seedVersion: String?
  /// The database's page size in bytes; without it, the schema's own.
  package var pageSize: Int?
  /// Whether the database shrinks when rows are deleted from it; without it, as the schema's does.
  package var autoVacuum: AutoVacuum?
  /// Whether a database at the output's path is replaced that this tool did not build.
  package var replacesForeign = false
  /// Whether the build collects statistics for the query planner.
  package var analyzes: Bool = false
  /// Whether the stamp records the digest of inputs and options, for which the inputs are read
  /// once more.
  package var recordsInputs: Bool = false
  /// Whether a ``BuildManifest`` is written beside the database; implies ``recordsInputs``.
  package var writesManifest: Bool = false
  /// Whether a packed form is written beside the database, `<output>.gz`.
  package var compresses: Bool = false
  /// Called some times a second with the state of the build.
  package var onProgress: (@Sendable (BuildProgress) -> Void)?
  /// Called with each warning and note.
  package var onDiagnostic: (@Sendable (Diagnostic) -> Void)?

  /// Creates options with the defaults for all but inputs and output.
  package init(inputs: [BuildInput], output: String) {
    self.inputs = inputs
    self.output = output
  }
}
