internal import SeedFiles
internal import SeedModel
package import SeedSQLite

/// What a build was made from, by digests: inputs, options, tool and SQLite.
package struct BuildRecord: Sendable, Hashable {
  /// The inputs in their order.
  package var inputs: [InputDigest]
  /// The file with the schema, if one is given.
  package var schema: InputDigest?
  /// The options that decide the bytes.
  var optionsText: String
  /// The tool with its version.
  var tool: String
  /// The version of SQLite, which lays out the pages.
  var sqliteVersion: String

  /// Reads the inputs for their digests.
  ///
  /// - Throws: ``InputError``; ``FileError`` when there is no room for a pipe's bytes.
  init(_ options: BuildOptions, _ documents: [InputDocument]) throws {
    inputs =
      try documents.map { try InputDigest(of: $0) } + options.contributions.map(\.input)
    schema = try options.mapping.schema.map { try InputDigest(ofFile: $0.value) }
    optionsText = options.digestText
    tool = ToolVersion.stamp
    sqliteVersion = SQLite.version
  }

  /// Reads the inputs and the schema for their digests.
  ///
  /// - Parameters:
  ///   - options: The options, with the path of the schema.
  ///   - documents: The inputs.
  ///   - text: What else decides the bytes.
  /// - Throws: As the initializer without a text.
  package init(
    _ options: BuildOptions, _ documents: [InputDocument], and text: String
  ) throws {
    try self.init(options, documents)
    optionsText += text
  }

  /// The digest of all and of what the finished database says of itself besides its content: page
  /// size, `auto_vacuum`, `user_version`, `application_id`, statistics, name and version.
  ///
  /// Options and schema decide those together, so only who builds knows them; recorded with the
  /// inputs, a change of them by hand shows.
  ///
  /// - Parameters:
  ///   - connection: The database, with all but the stamp.
  ///   - name: The name in the stamp.
  ///   - version: The version in the stamp.
  ///   - willAnalyze: Whether statistics are still to come.
  /// - Returns: The digest, in 64 lower-case hexadecimal digits.
  /// - Throws: ``SQLiteError``.
  package func sha256(
    sealing connection: Connection, name: String, version: String?, willAnalyze: Bool = false
  ) throws(SQLiteError) -> String {
    var text = "\(sha256)\n"
    for pragma in ["page_size", "auto_vacuum", "user_version", "application_id"] {
      text += "\(pragma) \(try connection.scalarInteger("PRAGMA \(pragma)") ?? 0)\n"
    }
    let hasStatistics =
      try connection.scalarInteger("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'")
      != nil
    text += "statistics \(hasStatistics || willAnalyze)\n"
    text += "name \(SQLiteText.literal(name))\n"
    text += "version \(version.map(SQLiteText.literal) ?? "NULL")\n"
    return Self.digest(of: text)
  }

  /// One digest of all, in 64 lower-case hexadecimal digits.
  ///
  /// The same on every machine that has the same inputs, options and versions: the inputs' folders
  /// do not count.
  package var sha256: String {
    var text = "\(tool)\nSQLite \(sqliteVersion)\n\(optionsText)"
    for digest in inputs + [schema].compactMap(\.self) {
      text += "\(digest.sha256) \(digest.byteCount)\n"
    }
    return Self.digest(of: text)
  }

  private static func digest(of text: String) -> String {
    var text = text
    var digest = SHA256Digest()
    text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
    return digest.hexadecimal()
  }
}
