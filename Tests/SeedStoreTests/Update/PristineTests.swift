import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Whether a database counts as one that nobody has written to.
@Suite struct PristineTests {
  private static let search = """
    CREATE VIRTUAL TABLE search USING fts5(t);
    INSERT INTO search VALUES ('anvil'), ('ball');
    """
  private static let policy = InstallOptions(policy: .replaceIfPristine)

  private func installed(_ mode: JournalMode, extra: String = search) throws -> InstallBench {
    let bench = try InstallBench()
    try renew(bench, "row", "1", extra: extra)
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    return bench
  }

  private func renew(
    _ bench: InstallBench, _ prefix: String, _ version: String, extra: String = search
  ) throws {
    try FileSystem.live.unlink(bench.seedPath)
    try InstallBench.writeSeed(
      to: bench.seedPath, prefix: prefix, version: version, extra: extra)
  }

  @Test(arguments: [JournalMode.delete, .wal], [false, true])
  func `what is written to a virtual table of the seed is the user's`(
    mode: JournalMode, afterReplacement: Bool
  ) throws {
    let bench = try installed(mode)
    if afterReplacement {
      try renew(bench, "new", "2")
      #expect(try bench.install(Self.policy).outcome.isReplaced)
    }
    try bench.write("INSERT INTO search VALUES ('of the user')")
    try renew(bench, "last", "3")
    #expect(try bench.install(Self.policy).keptReason == .modified)
    let connection = try Connection(path: bench.destination, mode: .readWrite)
    #expect(
      try connection.scalarInteger("SELECT count(*) FROM search WHERE search MATCH 'user'") == 1)
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a database with a virtual table is pristine while nobody writes to its content`(
    mode: JournalMode
  ) throws {
    let bench = try installed(mode)
    for version in ["2", "3"] {
      // Counts as a write of the file, and of nothing in it.
      try bench.write("ANALYZE; VACUUM; SELECT * FROM search WHERE search MATCH 'ball'")
      try renew(bench, "v\(version)", version)
      #expect(try bench.install(Self.policy).outcome.isReplaced)
    }
    #expect(try bench.items() == ["v3 1", "v3 2", "v3 3"])
  }

  @Test func `as many transactions as the seed has had do not make content pristine`() throws {
    let bench = try installed(.delete, extra: "")
    try renew(bench, "new", "2", extra: "")
    let seed = try Connection(path: bench.seedPath, mode: .readWrite)
    for number in 1...20 { try seed.execute("PRAGMA application_id = \(number)") }
    try seed.execute("PRAGMA application_id = 0")
    try seed.close()
    #expect(try bench.install(Self.policy).outcome.isReplaced)
    for number in 1...30 {
      try bench.write("INSERT INTO item VALUES (\(number + 1000), 'of the user')")
      try renew(bench, "last", "\(number + 2)", extra: "")
      #expect(try bench.install(Self.policy).keptReason == .modified, "\(number)")
    }
  }
}

extension InstallOutcome {
  fileprivate var isReplaced: Bool { if case .replaced = self { true } else { false } }
}
