import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport

@testable import SeedStore

/// A folder with a seed in `bundle` and a destination in `app`.
struct InstallBench {
  let directory: TemporaryDirectory
  let seedPath: String
  let destination: String

  /// A seed with a table `item` of some rows.
  init(
    rowCount: Int = 3, version: String? = "1", name: String = "shop", isStamped: Bool = true,
    pageSize: Int = 512, isOwned: Bool = false
  ) throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("bundle")
    try directory.makeDirectory("app")
    seedPath = directory.path("bundle/default.sqlite")
    destination = directory.path("app/default.sqlite")
    try Self.writeSeed(
      to: seedPath, rowCount: rowCount, version: version, name: name, isStamped: isStamped,
      pageSize: pageSize, extra: isOwned ? Self.ownership : "")
  }

  /// Declares the table of the seed as its own.
  static let ownership = """
    CREATE TABLE _seed_owned(table_name TEXT NOT NULL, column_name TEXT);
    INSERT INTO _seed_owned VALUES ('item', NULL);
    """

  var seed: Seed { Seed(path: seedPath) }

  /// Builds a seed as the build tool stamps it.
  static func writeSeed(
    to path: String, rowCount: Int = 3, prefix: String = "row", version: String? = "1",
    name: String = "shop", isStamped: Bool = true, pageSize: Int = 512, extra: String = ""
  ) throws {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(
      """
      PRAGMA page_size = \(pageSize);
      BEGIN;
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
      INSERT INTO item SELECT i, '\(prefix) ' || i FROM n;
      \(extra)
      """)
    if isStamped {
      try SeedStamp(
        name: name, version: version, contentSHA256: try ContentDigest.compute(connection),
        tool: "seed test"
      ).write(to: connection)
    }
    try connection.execute("COMMIT")
    try connection.close()
  }

  /// The manifest of the seed as it lies there.
  func manifest() throws -> SeedManifest {
    let digest = try requireDigest(seedPath)
    return SeedManifest(sha256: digest.hexadecimal, byteCount: digest.byteCount)
  }

  /// Replaces the seed by another one.
  func renewSeed(
    rowCount: Int = 5, prefix: String = "new", version: String? = "2", name: String = "shop",
    pageSize: Int = 512, isOwned: Bool = false
  ) throws {
    try FileSystem.live.unlink(seedPath)
    try Self.writeSeed(
      to: seedPath, rowCount: rowCount, prefix: prefix, version: version, name: name,
      pageSize: pageSize, extra: isOwned ? Self.ownership : "")
  }

  /// Installs over a file system of the test's.
  @discardableResult
  func install(
    _ options: InstallOptions = InstallOptions(), files: FileSystem = .live,
    manifest: Seed.ManifestSource = .beside, cancellation: InstallCancellation? = nil
  ) throws -> InstallResult {
    try Installation(
      seed: Seed(path: seedPath, manifest: manifest), destination: destination,
      options: options, files: files, databases: .live(on: files),
      watch: InstallWatch(cancellation, onProgress: options.progress)
    ).run()
  }

  /// The names of the items in the database at a path.
  func items(at path: String? = nil) throws -> [String] {
    let connection = try Connection(path: path ?? destination, mode: .readWrite)
    return try connection.rows("SELECT name FROM item ORDER BY id").map {
      if case .text(let text) = $0[0] { text } else { "?" }
    }
  }

  /// The digest over schema and rows of the installed database.
  func digest() throws -> String {
    try ContentDigest.compute(Connection(path: destination, mode: .readWrite))
  }

  /// Which seed the installed database was made from.
  func identity() throws -> SeedIdentity {
    try DatabaseFacts(
      start: [], from: Connection(path: destination, mode: .readWrite)
    ).identity
  }

  /// Runs SQL in the installed database.
  func write(_ sql: String) throws {
    let connection = try Connection(path: destination, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// What lies in the destination's folder.
  var names: [String] {
    get throws { try FileSystem.live.names(directory.path("app")).sorted() }
  }

  /// What must not be left there.
  var litter: [String] {
    get throws { try names.filter { $0.contains(".staging-") } }
  }

  /// Whether the destination is absent or a complete database with the rows expected.
  func isAbsentOrComplete(_ expected: [String]) throws -> Bool {
    guard try FileSystem.live.linkStatus(destination) != nil else { return true }
    let connection = try Connection(path: destination, mode: .readWrite)
    guard try connection.scalarText("PRAGMA integrity_check") == "ok" else { return false }
    try connection.close()
    return try items() == expected
  }
}

/// The digest of a file that is there.
func requireDigest(_ path: String) throws -> FileDigest {
  guard let digest = try FileDigest.sha256(of: path) else {
    throw FileError(.open, path, code: FileError.missing)
  }
  return digest
}
