package import SeedModel
package import SeedSQLite

/// What a database says of the streams that go on from it, so that a publisher and an app know which
/// tables they carry.
package struct StreamDeclaration: Sendable {
  /// A table of the database that a stream carries.
  package struct Table: Sendable, Hashable {
    /// The name as the database spells it.
    package var name: String
    /// The columns that tell its rows apart; nil for the primary key.
    package var key: [String]?
    /// The columns besides; nil for all.
    package var columns: [String]?
    /// Where it is ruled.
    package var location: SourceLocation?
  }

  /// The streams with their tables.
  package var rules: [StreamRule]
  /// Writes what a stream carries into the database, in the transaction of the build, and returns what
  /// keeps a table from being carried.
  package var write:
    @Sendable (_ stream: String, _ tables: [Table], Connection) throws -> [Diagnostic]

  /// A declaration, and how it is written.
  package init(
    rules: [StreamRule],
    write:
      @escaping @Sendable (
        _ stream: String, _ tables: [Table], Connection
      ) throws -> [Diagnostic]
  ) {
    self.rules = rules
    self.write = write
  }
}
