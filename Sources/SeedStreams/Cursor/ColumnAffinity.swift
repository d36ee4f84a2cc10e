/// The affinity of a column ("Datatypes In SQLite", section 3.1).
package enum ColumnAffinity {
  /// The affinity that follows from a declared type.
  ///
  /// - Parameters:
  ///   - type: The type as it is declared; empty without one.
  ///   - isStrict: Whether the table is STRICT, where `ANY` takes every value as it is.
  /// - Returns: INTEGER, REAL, NUMERIC, TEXT or BLOB.
  package static func name(ofType type: String, isStrict: Bool) -> String {
    let type = type.uppercased()
    if isStrict, type == "ANY" { return "BLOB" }
    if type.contains("INT") { return "INTEGER" }
    if ["CHAR", "CLOB", "TEXT"].contains(where: { type.contains($0) }) { return "TEXT" }
    if type.isEmpty || type.contains("BLOB") { return "BLOB" }
    if ["REAL", "FLOA", "DOUB"].contains(where: { type.contains($0) }) { return "REAL" }
    return "NUMERIC"
  }
}
