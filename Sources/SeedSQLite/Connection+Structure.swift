/// Whether a database file is sound, as far as its structure goes.
extension Connection {
  /// Looks for damage, by `quick_check`; what that finds, `integrity_check` has to confirm.
  ///
  /// SQLite 3.40 reads the columns of a table WITHOUT ROWID at the wrong places in `quick_check` where
  /// the key does not begin with the first columns in their order: it takes a NULL elsewhere for one in
  /// the key of a sound table. `integrity_check` takes longer, and does not err.
  ///
  /// - Returns: The first finding, in SQLite's words; nil if there is none.
  /// - Throws: ``SQLiteError``, also for damage that ends the check.
  package func structuralFinding() throws(SQLiteError) -> String? {
    guard try scalarText("PRAGMA quick_check(1)") != "ok" else { return nil }
    let finding = try scalarText("PRAGMA integrity_check(1)")
    return finding == "ok" ? nil : finding ?? "integrity_check gave nothing"
  }
}
