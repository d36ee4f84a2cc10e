import Foundation

/// A PostgreSQL server with a database of its own, on a socket in a temporary directory.
package final class PostgreSQLServer: Sendable {
  private let directory: TemporaryDirectory
  private let process: Process

  /// Where Debian puts the programs of each version.
  private static let root = "/usr/lib/postgresql"

  private static var programs: String? {
    let versions = try? FileManager.default.contentsOfDirectory(atPath: root)
    return (versions ?? []).sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(root)/\($0)/bin" }
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }

  /// Whether PostgreSQL is installed, and a user to run it: it refuses to run as root.
  package static var isAvailable: Bool {
    programs != nil && (getuid() != 0 || getpwnam("postgres") != nil)
  }

  /// Makes a database and starts a server for it.
  package init() throws {
    guard let programs = Self.programs else { throw TestServerError(message: "no PostgreSQL") }
    directory = try TemporaryDirectory()
    let data = try directory.makeDirectory("data")
    if getuid() == 0 { _ = try CommandRun.run("/bin/chown", ["postgres", data]) }
    let made = try Self.run(
      programs + "/initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"])
    guard made.status == 0 else { throw TestServerError(message: made.errorText) }
    process = Process()
    let (executable, arguments) = Self.command(
      programs + "/postgres",
      ["-D", data, "-k", data, "-c", "listen_addresses=", "-c", "fsync=off"])
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<1000 where process.isRunning {
      if try run("SELECT 1") == ["1"] { return }
      // There is nothing to wait for but the socket itself.
      _ = poll(nil, 0, 20)
    }
    throw TestServerError(message: "PostgreSQL does not come up")
  }

  deinit {
    // It has nothing to lose; its other processes end with it.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Runs SQL and gives the lines of its rows, columns parted by tabs.
  package func run(_ sql: String) throws -> [String] {
    let run = try CommandRun.run(
      "/usr/bin/psql",
      [
        "-h", directory.path("data"), "-U", "postgres", "-X", "-A", "-t", "-q", "-F", "\t", "-c",
        sql,
      ])
    guard run.status == 0 else { return [] }
    return run.text.split(separator: "\n").map(String.init)
  }

  /// A table with its rows, its columns by the types of HyperHive, as a resource has it.
  package func table(_ name: String, key: String) throws -> HyperHiveResource.Table {
    let types = ["bigint": "BIGINT", "double precision": "DOUBLE", "text": "TEXT"]
    let columns = try run(
      """
      SELECT column_name, data_type FROM information_schema.columns
      WHERE table_name = '\(name)' ORDER BY ordinal_position
      """
    ).map { line in
      let parts = line.components(separatedBy: "\t")
      return HyperHiveResource.Column(
        parts[0], types[parts[1]] ?? parts[1], isKey: parts[0] == key)
    }
    let values = columns.map { "coalesce(to_json(\($0.name))::text, 'null')" }
    let rows = try run("SELECT \(values.joined(separator: ", ")) FROM \(name) ORDER BY \(key)")
    return HyperHiveResource.Table(
      name, columns: columns, rows: rows.map { $0.components(separatedBy: "\t") })
  }

  private static func run(_ executable: String, _ arguments: [String]) throws -> CommandRun {
    let (executable, arguments) = command(executable, arguments)
    return try CommandRun.run(executable, arguments)
  }

  private static func command(
    _ executable: String, _ arguments: [String]
  ) -> (String, [String]) {
    guard getuid() == 0 else { return (executable, arguments) }
    return (
      "/usr/bin/setpriv",
      ["--reuid=postgres", "--regid=postgres", "--clear-groups", executable] + arguments
    )
  }
}
