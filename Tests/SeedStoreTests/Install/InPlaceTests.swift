import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

@Suite struct InPlaceTests {
  private func reason(_ bench: InstallBench, unwritable: Bool = false) -> String? {
    do throws(SeedError) {
      _ = try SeedDatabase.readOnlyURI(for: bench.seed, unwritable: unwritable)
      return nil
    } catch {
      if case .notReadableInPlace(let why) = error.reason { return why }
      return "\(error.reason)"
    }
  }

  @Test func `the address has the absolute path with everything escaped`() throws {
    let bench = try InstallBench()
    let path = bench.directory.path("bundle/a b#?%é.sqlite")
    try FileSystem.live.rename(bench.seedPath, path)
    let uri = try SeedDatabase.readOnlyURI(for: Seed(path: path))
    #expect(uri.hasPrefix("file:///"))
    #expect(uri.hasSuffix("/bundle/a%20b%23%3F%25%C3%A9.sqlite?mode=ro&immutable=1"))
  }

  @Test func `reading in place leaves nothing beside the seed`() throws {
    let bench = try InstallBench()
    _ = try SeedDatabase.readOnlyURI(for: bench.seed)
    let connection = try Connection(path: bench.seedPath, mode: .immutable)
    #expect(try connection.scalarInteger("SELECT count(*) FROM item") == 3)
    #expect(try FileSystem.live.names(bench.directory.path("bundle")) == ["default.sqlite"])
  }

  @Test func `WAL mode is a reason against it`() throws {
    let bench = try InstallBench()
    let connection = try Connection(path: bench.seedPath, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.close()
    #expect(reason(bench) == "it is in WAL mode")
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `whatever lies beside it is, too`(suffix: String) throws {
    let bench = try InstallBench()
    try bench.directory.write([], to: "bundle/default.sqlite" + suffix)
    #expect(reason(bench) == "\"\(bench.seedPath + suffix)\" lies beside it")
  }

  @Test func `permission to write is, when that is asked for`() throws {
    let bench = try InstallBench()
    #expect(reason(bench) == nil)
    #expect(reason(bench, unwritable: true) == "it can be written to")
    let descriptor = try FileSystem.live.open(bench.seedPath, .read)
    try FileSystem.live.setPermissions(descriptor, bench.seedPath, 0o444)
    FileSystem.live.close(descriptor)
    #expect(reason(bench, unwritable: true) == nil)
  }

  @Test func `a seed that is cut off or none is an error`() throws {
    let bench = try InstallBench()
    let bytes = try bench.directory.bytes(of: "bundle/default.sqlite")
    try bench.directory.write(Array(bytes.dropLast()), to: "bundle/default.sqlite")
    #expect(reason(bench)?.hasPrefix("wrongSize") == true)
    try FileSystem.live.unlink(bench.seedPath)
    #expect(reason(bench) == "sourceMissing")
  }
}
