internal import SeedModel
internal import SeedSQLite

/// The tables while they are loaded: `_seed_0 (c0, c1, …)` without constraints.
///
/// Names, NOT NULL and references are known for sure only at the end of the input; they do not
/// change how rows are stored, so they are written into the schema afterwards
/// (sqlite.org/lang_altertable.html, "making other kinds of table schema changes").
enum StagingSchema {
  /// Reserved, so that no table of the input has it: the final names are given one by one.
  static func tableName(_ table: Int) -> String { "_seed_\(table)" }

  static func columnName(_ column: Int) -> String { "c\(column)" }

  static func create(_ table: TablePlan, _ index: Int) -> String {
    let columns = table.columns.indices.map { definition(of: $0, in: table) }
    return "CREATE TABLE \(tableName(index)) (\(columns.joined(separator: ", ")))"
  }

  static func addColumn(_ column: Int, to table: TablePlan, _ index: Int) -> String {
    "ALTER TABLE \(tableName(index)) ADD COLUMN \(definition(of: column, in: table))"
  }

  private static func definition(of column: Int, in table: TablePlan) -> String {
    let name = columnName(column)
    if column == table.keyColumn { return "\(name) INTEGER PRIMARY KEY" }
    return "\(name) \(table.columns[column].type.storageAffinityName)"
  }

  /// The index of a parent column that is kept while rows are loaded.
  static func indexName(_ table: Int, _ column: Int) -> String { "_seed_\(table)_\(column)" }

  static func createIndex(_ table: Int, _ column: Int) -> String {
    "CREATE INDEX \(indexName(table, column)) ON \(tableName(table)) (\(columnName(column)))"
  }

  static func lateKeyTable(_ table: Int) -> String { "temp.late_\(table)" }

  static func createLateKeys(_ table: Int) -> String {
    "CREATE TABLE \(lateKeyTable(table)) (ordinal INTEGER PRIMARY KEY, key INTEGER NOT NULL)"
  }

  static let lateKeyColumns = ["ordinal", "key"]

  /// Replaces the ordinals in a parent column by keys.
  static func resolveLateKeys(of parent: Int, in child: Int, column: Int) -> String {
    let name = columnName(column)
    return """
      UPDATE \(tableName(child)) SET \(name) = (
        SELECT key FROM \(lateKeyTable(parent)) WHERE ordinal = \(name)
      ) WHERE \(name) IS NOT NULL
      """
  }
}
