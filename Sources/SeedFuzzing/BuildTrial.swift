import SeedBuilder
import SeedSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Builds a database from bytes that nobody vouches for, and stops the process when the build
/// breaks a promise.
///
/// Bytes may be refused, but only as bad input, and then nothing may be left behind. A build that
/// succeeds must give a sound database with the rows it says it has. Everything is written in the
/// folder that TMPDIR names, best one in memory.
struct BuildTrial: Sendable {
  static let shared = BuildTrial()

  private let input: String
  private let output: String

  private init() {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // The process number keeps parallel runs apart; the extension tells the format.
    let format = getenv("SEED_FUZZ_FORMAT").map { String(cString: $0) } ?? "xml"
    input = "\(folder)/\(getpid()).\(format)"
    output = "\(folder)/\(getpid()).sqlite"
  }

  func run(_ bytes: UnsafeRawBufferPointer) {
    store(bytes)
    let summary: BuildSummary
    do {
      summary = try Build.run(BuildOptions(inputs: [.file(input)], output: output))
    } catch let error as BuildError where error.reason == .input {
      guard !error.diagnostics.isEmpty else { fatalError("an input was refused without a word") }
      guard access(output, F_OK) != 0 else { fatalError("a refused input left an output") }
      return
    } catch {
      fatalError("not refused as bad input: \(error)")
    }
    do {
      try check(summary)
    } catch {
      fatalError("the database cannot be read: \(error)")
    }
    guard unlink(output) == 0 else { fatalError("there is no output to remove: \(errno)") }
  }

  private func store(_ bytes: UnsafeRawBufferPointer) {
    let file = open(input, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // The inputs are a few kilobytes: a short write means that the folder is full.
    guard file >= 0, write(file, bytes.baseAddress, bytes.count) == bytes.count else {
      fatalError("cannot write \(input): \(errno)")
    }
    close(file)
  }

  private func check(_ summary: BuildSummary) throws {
    let database = try Connection(path: output, mode: .immutable)
    let integrity = try database.rows("PRAGMA integrity_check")
    guard integrity == [[.text("ok")]] else { fatalError("integrity_check: \(integrity)") }
    let orphans = try database.rows("PRAGMA foreign_key_check")
    guard orphans.isEmpty else { fatalError("foreign_key_check: \(orphans)") }

    let names = try database.rows(
      """
      SELECT '"' || replace(name, '"', '""') || '"' FROM sqlite_schema
      WHERE type = 'table' AND substr(name, 1, 5) <> '_seed' AND substr(name, 1, 7) <> 'sqlite_'
      """)
    var rowCount: Int64 = 0
    for case .text(let name) in names.joined() {
      rowCount += try database.scalarInteger("SELECT count(*) FROM \(name)") ?? 0
    }
    guard rowCount == summary.rowCount, names.count == summary.tableCount else {
      fatalError("\(rowCount) rows in \(names.count) tables are not \(summary)")
    }
    try database.close()
  }
}
