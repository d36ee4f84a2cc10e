import SeedFormat
import SeedSQLite

/// Compares two databases: schema by name, rows by key.
///
/// What counts is what a query can see. Not compared are the layout of pages, the encoding of
/// texts, the objects of SQLite, and the tables of this tool, whose names begin with `_seed`; in the
/// metadata of a Core Data store, what ``StoreMetadata`` says.
package enum DatabaseDiff {
  /// How many rows of each kind are kept for a table, if nothing else is asked for.
  package static let defaultSampleLimit = 5

  /// What has to happen to one database to make it the other.
  ///
  /// Rows are read in the order of their key from both and never kept, so memory does not grow
  /// with the databases. Changes nothing, and leaves no file beside them, as ``Inspection`` does.
  ///
  /// - Parameters:
  ///   - old: The path of the database before.
  ///   - new: The path of the database after.
  ///   - sampleLimit: How many added, removed and changed rows are kept for each table.
  /// - Returns: The difference, empty when there is none.
  /// - Throws: ``InspectionError`` about the database that is missing, none, or damaged.
  package static func difference(
    from old: String, to new: String, sampleLimit: Int = defaultSampleLimit
  ) throws(InspectionError) -> DatabaseDifference {
    let old = try ComparedDatabase(path: old)
    let new = try ComparedDatabase(path: new)
    do throws(SQLiteError) {
      var difference = DatabaseDifference()
      difference.settings = settings(old, new)
      difference.schema = SchemaComparison(old: old.schema, new: new.schema).changes()
      difference.notes = old.notes + new.notes.filter { !old.notes.contains($0) }
      let hasSameMetadata = try hasSameMetadata(old, new)
      for (first, second) in old.schema.tablePairs(with: new.schema)
      where !hasSameMetadata || first?.name != StoreMetadata.tableName {
        let comparison = TableComparison(old: old, new: new, sampleLimit: sampleLimit)
        switch try comparison.result(first, second) {
        case .difference(let table): if !table.isEmpty { difference.tables.append(table) }
        case .unreadable(let note): difference.notes.append(note)
        }
      }
      return difference
    } catch {
      // The two connections know their files.
      throw InspectionError(.database(error), path: error.path)
    }
  }

  /// Whether both are Core Data stores whose metadata differ at most in what follows from the rest:
  /// the UUID and the stamp of this tool.
  private static func hasSameMetadata(
    _ old: ComparedDatabase, _ new: ComparedDatabase
  ) throws(SQLiteError) -> Bool {
    guard let first = try StoreMetadata.read(from: old.connection),
      let second = try StoreMetadata.read(from: new.connection)
    else { return false }
    return first.content == second.content
  }

  private static func settings(
    _ old: ComparedDatabase, _ new: ComparedDatabase
  ) -> [DatabaseDifference.Setting] {
    zip(old.settings, new.settings).compactMap { old, new in
      guard old.value != new.value else { return nil }
      return DatabaseDifference.Setting(name: old.name, old: old.value, new: new.value)
    }
  }
}
