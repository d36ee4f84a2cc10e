internal import SeedFiles
internal import SeedFormat
internal import SeedModel
internal import SeedSQLite

/// What is said of a built database in the file beside it, `<output>.manifest.json`.
///
/// The digest of the whole file cannot be inside of it. All else repeats what the database says, so
/// that nobody has to open it. The same database and inputs give the same text.
///
/// Order of publication: the manifest is written and on the disk under a temporary name before the
/// database is renamed, and renamed after it. A crash between the two leaves the new database
/// beside the old manifest, whose digest is then another one.
package struct BuildManifest: Sendable, Hashable {
  /// The layout of the text that this version writes.
  package static let currentFormat: Int64 = 1

  /// A table with the number of its rows.
  package struct Table: Sendable, Hashable {
    /// The table's name.
    package var name: String
    /// The number of its rows; nil when they cannot be counted, as in some virtual tables.
    package var rowCount: Int64?
  }

  /// The database's file name, without its folder.
  package var fileName: String
  /// SHA-256 over the file.
  package var sha256: String
  /// The size of the file.
  package var byteCount: Int64
  /// The digest over schema and rows, from the stamp.
  package var contentSHA256: String
  /// The tool that made the database, from the stamp.
  package var tool: String
  /// `PRAGMA user_version`.
  package var userVersion: Int64
  /// `PRAGMA application_id`.
  package var applicationID: Int64
  /// The page size in bytes.
  package var pageSize: Int64
  /// The tables by name, without those of SQLite and of this tool.
  package var tables: [Table]
  /// The inputs in their order.
  package var inputs: [InputDigest]
  /// The file with the schema, if one was given.
  package var schema: InputDigest?

  /// Where the manifest of a database lies.
  package static func path(beside database: String) -> String { database + ".manifest.json" }

  /// What a manifest may replace: others, of this version or of another.
  static let kind = FileKind("a manifest of seed", byteLimit: 16 << 20) { bytes in
    guard let document = try? JSONValue(parsing: bytes) else { return false }
    return document["format"]?.integerValue != nil && document["sha256"]?.stringValue != nil
  }

  /// Describes a finished database.
  ///
  /// - Parameters:
  ///   - path: Where the database lies now.
  ///   - output: Where it will lie.
  ///   - file: The digest and the size of the file.
  ///   - record: What it was made from.
  /// - Throws: ``SQLiteError``; ``BuildManifest/Unstamped`` when the database has no stamp.
  init(
    databaseAt path: String, output: String, file: (sha256: [UInt8], byteCount: Int64),
    _ record: BuildRecord
  ) throws {
    let connection = try Connection(path: path, mode: .immutable)
    guard case .present(let stamp) = try SeedStamp.read(from: connection) else {
      throw Unstamped()
    }
    fileName = output.split(separator: "/").last.map(String.init) ?? output
    sha256 = SHA256Digest.hexadecimal(file.sha256)
    byteCount = file.byteCount
    contentSHA256 = stamp.contentSHA256
    tool = stamp.tool
    userVersion = try connection.scalarInteger("PRAGMA user_version") ?? 0
    applicationID = try connection.scalarInteger("PRAGMA application_id") ?? 0
    pageSize = try connection.scalarInteger("PRAGMA page_size") ?? 0
    var reader = TableReader(connection: connection, sizes: PageSizes())
    tables = try reader.tables().filter { $0.kind == .table || $0.kind == .virtual }
      .map { Table(name: $0.name, rowCount: $0.rowCount) }
    inputs = record.inputs
    schema = record.schema
    try connection.close()
  }

  /// A database that was not built by this tool.
  struct Unstamped: Error {}

  /// The manifest as text: JSON with sorted members, indented, a line break at its end.
  package var text: String { json.text }

  private var json: JSONValue {
    [
      "application_id": .integer(applicationID),
      "bytes": .integer(byteCount),
      "content_sha256": .string(contentSHA256),
      "file": .string(fileName),
      "format": .integer(Self.currentFormat),
      "inputs": .array(inputs.map { Self.json(of: $0) }),
      "page_size": .integer(pageSize),
      "schema": schema.map { Self.json(of: $0) } ?? .null,
      "sha256": .string(sha256),
      "tables": .array(
        tables.map { ["name": .string($0.name), "rows": .integer($0.rowCount)] }),
      "tool": .string(tool),
      "user_version": .integer(userVersion),
    ]
  }

  private static func json(of digest: InputDigest) -> JSONValue {
    [
      "bytes": .integer(digest.byteCount), "name": .string(digest.name),
      "sha256": .string(digest.sha256),
    ]
  }
}
