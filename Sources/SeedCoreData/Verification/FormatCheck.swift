internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Notes where a store differs from what Core Data writes, and what decides how it is opened.
struct FormatCheck {
  let connection: Connection
  let catalog: StoreCatalog

  /// The notes.
  ///
  /// - Throws: ``SQLiteError``.
  func findings() throws(SQLiteError) -> [Finding] {
    [
      try historyFinding(),
      try pragmaFinding(
        "page_size", usual: Int64(StoreFile.pageSize),
        hint: "build it again, or run \"VACUUM\" after "
          + "\"PRAGMA page_size = \(StoreFile.pageSize)\""),
      try pragmaFinding(
        "auto_vacuum", usual: 2,
        hint: "build it again, or run \"VACUUM\" after \"PRAGMA auto_vacuum = INCREMENTAL\""),
      try encodingFinding(),
    ].compactMap(\.self)
  }

  private func historyFinding() throws(SQLiteError) -> Finding? {
    for name in ["ATRANSACTION", "ACHANGE"] {
      guard let table = catalog.table(name) else { continue }
      let count =
        try connection.scalarInteger("SELECT count(*) FROM \(SQLiteName.quoted(table.name))") ?? 0
      guard count > 0 else { continue }
      var finding = Finding(
        .storeHistory, .note,
        "the store has a persistent history (\(count) \(count == 1 ? "row" : "rows") in "
          + "\"\(table.name)\"): an app that opens it without history tracking gets it read-only",
        hint: "set NSPersistentHistoryTrackingKey where the app opens it, or ship a store without "
          + "history")
      finding.table = table.name
      return finding
    }
    return nil
  }

  private func pragmaFinding(
    _ name: String, usual: Int64, hint: String
  ) throws(SQLiteError) -> Finding? {
    let value = try connection.scalarInteger("PRAGMA \(name)") ?? 0
    guard value != usual else { return nil }
    return Finding(
      .storeFile, .note, "\(name) is \(value), and \(usual) in stores that Core Data writes",
      hint: hint)
  }

  private func encodingFinding() throws(SQLiteError) -> Finding? {
    let encoding = try connection.scalarText("PRAGMA encoding") ?? ""
    guard encoding != "UTF-8" else { return nil }
    return Finding(
      .storeFile, .note, "texts are in \(encoding), and in UTF-8 in stores that Core Data writes",
      hint: "build it again")
  }
}
