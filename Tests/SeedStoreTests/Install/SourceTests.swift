import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Seeds that must not be installed: each gives an error that names the step, and no database.
@Suite struct SourceTests {
  private func error(
    _ bench: InstallBench, _ options: InstallOptions = InstallOptions(),
    manifest: Seed.ManifestSource = .beside
  ) throws -> SeedError? {
    let error = #expect(throws: SeedError.self) {
      try bench.install(options, manifest: manifest)
    }
    #expect(try FileSystem.live.linkStatus(bench.destination) == nil)
    #expect(try bench.litter == [])
    return error
  }

  @Test func `every flipped byte is found when the digest is known`() throws {
    let bench = try InstallBench()
    let manifest = try bench.manifest()
    let whole = try bench.directory.bytes(of: "bundle/default.sqlite")
    #expect(whole.count <= 4096)
    var missed: [Int] = []
    var options = InstallOptions()
    options.durability = .process
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0x10
      try bench.directory.write(bytes, to: "bundle/default.sqlite")
      do {
        try bench.install(options, manifest: .given(manifest))
        missed.append(index)
      } catch {
        #expect(error is SeedError)
      }
      #expect(try FileSystem.live.linkStatus(bench.destination) == nil)
    }
    #expect(missed == [])
  }

  @Test func `a digest that is to be compared must be there`() throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.verification = .digest
    let error = try error(bench, options)
    #expect(error?.reason == .noDigest)
    #expect(error?.step == .checkSource)
    #expect(error?.path == bench.seedPath)
    let manifest = try bench.manifest()
    #expect(throws: Never.self) { try bench.install(options, manifest: .given(manifest)) }
  }

  @Test func `flipped content is found without a manifest when that is asked for`() throws {
    let bench = try InstallBench(rowCount: 20)
    var bytes = try bench.directory.bytes(of: "bundle/default.sqlite")
    // A letter of a name: neither SQLite's checks nor the size can see it.
    let text = Array("row 17".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place] ^= 0x01
    try bench.directory.write(bytes, to: "bundle/default.sqlite")
    var options = InstallOptions()
    options.verification = .full
    let error = try error(bench, options)
    #expect(error?.step == .validate)
    guard case .failedCheck = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    // The teeth of it: the ordinary checks let it pass.
    options.verification = .header
    #expect(throws: Never.self) { try bench.install(options) }
  }

  @Test func `a seed that is cut off anywhere is refused`() throws {
    let bench = try InstallBench()
    let whole = try bench.directory.bytes(of: "bundle/default.sqlite")
    var counts: Set<Int> = [0, 1, 16, 99, 100]
    for page in stride(from: 512, through: whole.count, by: 512) {
      counts.formUnion([page - 1, page, page + 1])
    }
    counts.remove(whole.count)
    for count in counts.sorted() {
      let bytes = whole + [0]
      try bench.directory.write(Array(bytes.prefix(count)), to: "bundle/default.sqlite")
      let error = try error(bench)
      #expect(error?.step == .checkSource, "\(count) bytes")
    }
  }

  @Test func `what is no database is named`() throws {
    let bench = try InstallBench()
    try bench.directory.write("<events/>", to: "bundle/default.sqlite")
    #expect(try error(bench)?.reason == .notADatabase(looksLike: "XML"))
  }

  @Test func `a missing seed and a folder are told apart`() throws {
    let bench = try InstallBench()
    try FileSystem.live.unlink(bench.seedPath)
    #expect(try error(bench)?.reason == .sourceMissing)
    try bench.directory.makeDirectory("bundle/default.sqlite")
    #expect(try error(bench)?.reason == .isDirectory)
  }

  @Test func `a newer file format is refused`() throws {
    let bench = try InstallBench()
    var bytes = try bench.directory.bytes(of: "bundle/default.sqlite")
    bytes[18] = 3
    bytes[19] = 3
    try bench.directory.write(bytes, to: "bundle/default.sqlite")
    let error = try error(bench)
    #expect(error?.step == .checkSource)
    #expect(error?.reason == .newerFormat(3))
  }

  @Test(arguments: ["-wal", "-journal"])
  func `an unfinished log beside the seed is refused`(suffix: String) throws {
    let bench = try InstallBench()
    try bench.directory.write([1, 2, 3], to: "bundle/default.sqlite" + suffix)
    #expect(try error(bench)?.reason == .unfinishedLog(bench.seedPath + suffix))
    try bench.directory.write([], to: "bundle/default.sqlite" + suffix)
    #expect(throws: Never.self) { try bench.install() }
  }

  @Test func `a seed in WAL mode without a log is installed, and stays in it`() throws {
    let bench = try InstallBench()
    let connection = try Connection(path: bench.seedPath, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.close()
    try bench.install()
    #expect(try bench.items().count == 3)
    let header = DatabaseHeader(
      try FileSystem.live.bytes(of: bench.destination, limit: 100))
    #expect(header?.isWriteAheadLogging == true)
    #expect(try FileSystem.live.names(bench.directory.path("bundle")) == ["default.sqlite"])
  }

  @Test func `a manifest that is about another seed is an error`() throws {
    let bench = try InstallBench()
    var manifest = try bench.manifest()
    manifest.userVersion = 7
    #expect(
      try error(bench, manifest: .given(manifest))?.reason
        == .manifestMismatch(what: "user_version", expected: "7", found: "0"))
    manifest = try bench.manifest()
    manifest.contentSHA256 = String(repeating: "0", count: 64)
    guard case .manifestMismatch = try error(bench, manifest: .given(manifest))?.reason else {
      Issue.record("no mismatch")
      return
    }
    manifest = try bench.manifest()
    manifest.sha256 = String(repeating: "0", count: 64)
    let error = try error(bench, manifest: .given(manifest))
    #expect(error?.step == .validate)
  }

  @Test(arguments: [
    "", "{}", "[1]", #"{"format": 2}"#, #"{"format": 1, "sha256": "abc", "bytes": 1}"#,
    #"{"format": 1, "sha256": 7, "bytes": -1}"#,
  ])
  func `an unusable manifest is an error`(text: String) throws {
    let bench = try InstallBench()
    try bench.directory.write(text, to: "bundle/default.sqlite.manifest.json")
    let error = try error(bench)
    guard case .unusableManifest = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.path == bench.seedPath + ".manifest.json")
  }

  @Test func `a seed that changes while it is copied is not installed`() throws {
    let bench = try InstallBench(rowCount: 60_000, pageSize: 4096)
    let other = bench.directory.path("other.sqlite")
    try InstallBench.writeSeed(to: other, rowCount: 60_000, prefix: "two", pageSize: 4096)
    let bytes = try bench.directory.bytes(of: "other.sqlite")
    let (directory, isDone) = (bench.directory, Lock(false))
    let faulty = FaultyFiles { _, call in
      guard call.operation == .copyRange || call.operation == .write else { return }
      let isFirst = isDone.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst { _ = try? directory.write(bytes, to: "bundle/default.sqlite") }
    }
    let error = #expect(throws: SeedError.self) { try bench.install(files: faulty.files) }
    #expect(error?.reason == .sourceChanged)
    #expect(try bench.litter == [])
  }

  @Test func `too little room is said before anything is written`() throws {
    let bench = try InstallBench()
    var files = FileSystem.live
    files.availableByteCount = { _ in 100 }
    let error = #expect(throws: SeedError.self) { try bench.install(files: files) }
    #expect(error?.step == .space)
    guard case .noSpace(_, available: 100) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try bench.litter == [])
  }

  @Test(arguments: [true, false])
  func `a manifest that is a pipe is refused, and not waited for`(isGiven: Bool) throws {
    let bench = try InstallBench()
    let path = bench.directory.path("bundle/default.sqlite.manifest.json")
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: SeedError.self) {
      try bench.install(manifest: isGiven ? .file(path) : .beside)
    }
    #expect(error?.path == path)
    #expect(error?.reason == .notARegularFile)
    #expect(try bench.names == [])
  }
}
