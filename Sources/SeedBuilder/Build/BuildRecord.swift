internal import SeedFiles
internal import SeedModel
internal import SeedSQLite

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

  /// One digest of all, in 64 lower-case hexadecimal digits.
  ///
  /// The same on every machine that has the same inputs, options and versions: the inputs' folders
  /// do not count.
  package var sha256: String {
    var text = "\(tool)\nSQLite \(sqliteVersion)\n\(optionsText)"
    for digest in inputs + [schema].compactMap(\.self) {
      text += "\(digest.sha256) \(digest.byteCount)\n"
    }
    var digest = SHA256Digest()
    text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
    return digest.hexadecimal()
  }
}
