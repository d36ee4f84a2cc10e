/// What of a stream is really written: what the database allows, what it has, and what the stream
/// brings.
package struct EffectiveTables: Sendable, Hashable {
  /// The tables with the columns that are written.
  package var tables: [StreamTable]
  /// What they are known by.
  package var digest: String

  /// Compares what a database takes with what a source carries.
  ///
  /// - Parameters:
  ///   - state: The database; its tables are those that it allows and has.
  ///   - published: The tables of the source; without any, the source is taken to carry them all.
  ///   - context: The run, for its errors.
  /// - Throws: ``StreamError`` with `schemaIncompatible` when a key or an affinity differs, or the
  ///   source lacks what it brought before, or the database what it had then, whether or not the
  ///   source says what it carries.
  package init(
    state: StreamState, published: [StreamTable], in context: StreamContext
  ) throws(StreamError) {
    func refuse(_ table: String, _ column: String? = nil) -> StreamError {
      context.error(.schemaIncompatible(table: table, column: column))
    }
    guard !published.isEmpty else {
      self.init(state.tables)
      guard digest != state.appliedSchema,
        let lost = LostTables(state: state).found(beside: state.tables)
      else { return }
      throw refuse(lost.table, lost.column)
    }
    var tables: [StreamTable] = []
    var missing: (table: String, column: String?)?
    for local in state.tables {
      guard let other = published.first(where: { $0.name == local.name }) else {
        missing = missing ?? (local.name, nil)
        continue
      }
      guard local.key == other.key else { throw refuse(local.name) }
      var columns: [StreamColumn] = []
      for column in local.columns {
        guard let same = other.columns.first(where: { $0.name == column.name }) else {
          missing = missing ?? (local.name, column.name)
          continue
        }
        guard same.affinity == column.affinity else { throw refuse(local.name, column.name) }
        columns.append(column)
      }
      tables.append(StreamTable(name: local.name, key: local.key, columns: columns))
    }
    self.init(tables)
    // What was written until now would be left as it is for ever, without a word.
    if let missing, digest != state.appliedSchema,
      SchemaDigest.compute(state.tables) == state.appliedSchema
    {
      throw refuse(missing.table, missing.column)
    }
    if digest != state.appliedSchema,
      let lost = LostTables(state: state, published: published).found(beside: tables)
    {
      throw refuse(lost.table, lost.column)
    }
  }

  /// All of some tables.
  package init(_ tables: [StreamTable]) {
    self.tables = tables
    digest = SchemaDigest.compute(tables)
  }
}
