import SeedBuilder
import SeedMerge
import SeedModel
import SeedStreams

/// What a project file says of streams, for a build.
enum StreamRules {
  /// The declaration that a build writes into the database; nil where nothing is ruled.
  static func declaration(_ rules: [StreamRule]) -> StreamDeclaration? {
    guard !rules.isEmpty else { return nil }
    return StreamDeclaration(rules: rules) { stream, tables, connection in
      var problems: [Diagnostic] = []
      var declared: [DeclaredTable] = []
      for table in tables {
        do throws(PublishedTableError) {
          declared.append(
            try PublishedTables.declaration(
              of: table.name, key: table.key, columns: table.columns, in: connection))
        } catch {
          if case .cursor(.database(let cause)) = error { throw cause }
          problems.append(
            Diagnostic(.error, error.message, at: table.location, hint: error.hint))
        }
      }
      try CursorTables.create(on: connection)
      try CursorTables.declare(declared, for: stream, in: connection)
      return problems
    }
  }
}
