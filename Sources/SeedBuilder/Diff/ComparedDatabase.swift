import SeedSQLite

/// One side of a comparison, open for reading.
struct ComparedDatabase {
  let connection: Connection
  /// Whether SQLite orders texts by their UTF-8 bytes when it orders them by their bytes.
  let isUTF8: Bool
  let schema: SchemaSnapshot
  /// The numbers in the header that an application sets.
  let settings: [(name: String, value: Int64)]
  /// What lies beside the file and has to do with its content.
  let notes: [String]

  /// Opens a database and reads its schema.
  ///
  /// - Throws: ``InspectionError`` when the file is missing, is no database, or is damaged so much
  ///   that its schema cannot be read.
  init(path: String) throws(InspectionError) {
    let file = try DatabaseFile(path: path)
    _ = try file.wholeHeader()
    notes = Inspection.notes(on: file)
    do throws(SQLiteError) {
      connection = try file.openForReading()
      // All queries see one state, should somebody write to the log meanwhile.
      try connection.execute("BEGIN")
      isUTF8 = try connection.scalarText("PRAGMA encoding") == "UTF-8"
      if !isUTF8 { try connection.addByteOrderCollation() }
      schema = try SchemaSnapshot(reading: connection)
      var settings: [(name: String, value: Int64)] = []
      for name in ["user_version", "application_id"] {
        settings.append((name, try connection.scalarInteger("PRAGMA \(name)") ?? 0))
      }
      self.settings = settings
    } catch {
      throw InspectionError(.database(error), path: path)
    }
  }
}
