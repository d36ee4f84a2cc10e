package import SeedSQLite

/// The one-row table `_seed` that says which build made a database.
package struct SeedStamp: Sendable, Hashable {
  /// The layout of the table that this version writes.
  package static let currentFormat: Int64 = 1
  /// The name of the table.
  package static let tableName = "_seed"
  /// The statement that makes the table.
  package static let createSQL = """
    CREATE TABLE _seed(format INTEGER NOT NULL, name TEXT NOT NULL, version TEXT, \
    content_sha256 TEXT NOT NULL, tool TEXT NOT NULL, inputs_sha256 TEXT)
    """

  /// The layout of the table.
  package var format: Int64
  /// The seed's name.
  package var name: String
  /// The seed's version, if it has one.
  package var version: String?
  /// The digest over schema and rows by ``ContentDigest``, in 64 lower-case hexadecimal digits.
  package var contentSHA256: String
  /// The tool that made the database, with its version.
  package var tool: String
  /// The digest of inputs and options by ``BuildRecord``, if the build was asked to record it.
  package var inputsSHA256: String?

  /// Creates a stamp in the current layout.
  package init(
    name: String, version: String? = nil, contentSHA256: String, tool: String,
    inputsSHA256: String? = nil
  ) {
    format = Self.currentFormat
    self.name = name
    self.version = version
    self.contentSHA256 = contentSHA256
    self.tool = tool
    self.inputsSHA256 = inputsSHA256
  }

  /// Makes the table with this stamp as its row.
  ///
  /// - Throws: ``SQLiteError``, also when the database already has the table.
  package func write(to connection: Connection) throws(SQLiteError) {
    try connection.execute(Self.createSQL)
    try connection.run(
      "INSERT INTO _seed VALUES (?, ?, ?, ?, ?, ?)", .integer(format), .text(name),
      version.map { .text($0) } ?? .null, .text(contentSHA256), .text(tool),
      inputsSHA256.map { .text($0) } ?? .null)
  }

  /// Makes this the stamp of a database that has another one; the record of its installation stays.
  ///
  /// - Precondition: The database has the table.
  /// - Throws: ``SQLiteError``.
  package func replace(in connection: Connection) throws(SQLiteError) {
    try connection.run(
      "UPDATE _seed SET format = ?, name = ?, version = ?, content_sha256 = ?, tool = ?",
      .integer(format), .text(name), version.map { .text($0) } ?? .null, .text(contentSHA256),
      .text(tool))
    // Stamps of the first versions have no such column.
    let hasInputs = try connection.scalarInteger(
      "SELECT count(*) FROM pragma_table_info('_seed') WHERE name = 'inputs_sha256'")
    guard hasInputs == 1 else { return }
    try connection.run(
      "UPDATE _seed SET inputs_sha256 = ?", inputsSHA256.map { .text($0) } ?? .null)
  }
}
