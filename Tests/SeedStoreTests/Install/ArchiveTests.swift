import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

@Suite struct ArchiveTests {
  private let rows = ["row 1", "row 2", "row 3"]

  /// Packs bytes as the build does, or as `gzip` does without the facts.
  private func packed(_ bytes: [UInt8], facts: ArchiveFacts?) -> [UInt8] {
    let deflation = GzipDeflation(
      name: "default.sqlite", extraField: facts?.extraField ?? [])
    var result: [UInt8] = []
    bytes.withUnsafeBytes { input in
      deflation.deflate(input, isLast: true) { result += Array($0) }
    }
    return result
  }

  /// A bench whose seed is packed; the plain bytes come with it.
  private func bench(
    withFacts: Bool = true, change: (inout [UInt8]) -> Void = { _ in }
  ) throws -> (bench: InstallBench, seed: Seed) {
    let bench = try InstallBench()
    let bytes = try bench.directory.bytes(of: "bundle/default.sqlite")
    let digest = try requireDigest(bench.seedPath)
    let connection = try Connection(path: bench.seedPath, mode: .immutable)
    guard case .present(let stamp) = try SeedStamp.read(from: connection) else {
      throw FileError(.open, bench.seedPath, code: FileError.missing)
    }
    let facts = ArchiveFacts(
      sha256: digest.hexadecimal, byteCount: digest.byteCount, name: stamp.name,
      version: stamp.version, contentSHA256: stamp.contentSHA256, userVersion: 0,
      applicationID: 0)
    var archive = packed(bytes, facts: withFacts ? facts : nil)
    change(&archive)
    let path = try bench.directory.write(archive, to: "bundle/default.sqlite.gz")
    return (bench, Seed(path: path))
  }

  private func error(_ bench: InstallBench, _ seed: Seed) throws -> SeedError? {
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.install(seed, at: bench.destination)
    }
    #expect(try FileSystem.live.linkStatus(bench.destination) == nil)
    #expect(try bench.litter == [])
    return error
  }

  @Test(arguments: [true, false])
  func `a packed seed is unpacked once`(withFacts: Bool) throws {
    let (bench, seed) = try bench(withFacts: withFacts)
    let first = try SeedDatabase.install(seed, at: bench.destination)
    #expect(first.outcome == .installed(by: .decompressed))
    #expect(try bench.items() == rows)
    #expect(try SeedDatabase.install(seed, at: bench.destination).outcome == .alreadyCurrent)
  }

  @Test func `the plain seed and the packed one are the same seed`() throws {
    let (bench, seed) = try bench()
    try bench.install()
    #expect(try SeedDatabase.install(seed, at: bench.destination).outcome == .alreadyCurrent)
  }

  @Test(arguments: [true, false])
  func `it is cut off anywhere, which the error says, and nothing is installed`(
    withFacts: Bool
  ) throws {
    let (whole, _) = try bench(withFacts: withFacts)
    let count = try whole.directory.bytes(of: "bundle/default.sqlite.gz").count
    let size = try whole.directory.bytes(of: "bundle/default.sqlite").count
    for length in Array(stride(from: 2, to: count, by: 7)) + [count - 8, count - 4, count - 1] {
      let (bench, seed) = try bench(withFacts: withFacts) { $0.removeLast($0.count - length) }
      let error = try error(bench, seed)
      guard case .archiveCutOff(let unpacked, let expected) = error?.reason else {
        Issue.record("\(length) bytes: \(String(describing: error))")
        continue
      }
      #expect(unpacked <= size)
      // The facts are in the header, which has to be there as a whole.
      #expect(expected == nil || withFacts && expected == Int64(size))
      #expect(expected != nil || !withFacts || unpacked == 0)
    }
  }

  @Test func `an end that promises more than there is room is not believed`() throws {
    let (bench, seed) = try bench(withFacts: false) { archive in
      // As a stream that was cut off ends: a size of a gigabyte and a half.
      archive.removeLast(100)
      archive.replaceSubrange((archive.count - 4)..., with: [0, 0, 0, 0x60])
    }
    var files = FileSystem.live
    files.availableByteCount = { (_) throws(FileError) in 1 << 20 }
    let error = #expect(throws: SeedError.self) {
      try Installation(
        seed: seed, destination: bench.destination, options: InstallOptions(), files: files,
        databases: .live(on: files), watch: InstallWatch(nil, onProgress: nil)
      ).run()
    }
    guard case .archiveCutOff(_, nil) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `every flipped byte is found, but for those that say nothing of the content`() throws {
    let (whole, _) = try bench()
    let count = try whole.directory.bytes(of: "bundle/default.sqlite.gz").count
    var passed: [Int] = []
    var options = InstallOptions()
    options.durability = .process
    for index in stride(from: 0, to: count, by: 1) {
      let (bench, seed) = try bench { $0[index] ^= 0x04 }
      do {
        _ = try SeedDatabase.install(seed, at: bench.destination, options: options)
        #expect(try bench.items() == rows)
        passed.append(index)
      } catch {
        #expect(try FileSystem.live.linkStatus(bench.destination) == nil)
      }
    }
    // The header has a time, a system, a name, and the facts themselves, which are checked where
    // they are about the content.
    let header = 10 + 2 + 500 + "default.sqlite".utf8.count + 1
    #expect(passed.allSatisfy { $0 < header })
  }

  @Test(arguments: [true, false], [[0], Array("trailing bytes".utf8), [0, 0, 1, 0, 0, 0x10]])
  func `something behind its end is refused`(withFacts: Bool, bytes: [UInt8]) throws {
    let (bench, seed) = try bench(withFacts: withFacts) { $0 += bytes }
    #expect(
      try error(bench, seed)?.reason == .damagedArchive("something follows its end"))
  }

  @Test(arguments: [true, false])
  func `several members are refused by name`(withFacts: Bool) throws {
    let (bench, twice) = try bench(withFacts: withFacts) { $0 += $0 }
    #expect(try error(bench, twice)?.reason == .archiveOfSeveralMembers)
    // As parallel packers write them: each has a part of the database.
    let plain = try bench.directory.bytes(of: "bundle/default.sqlite")
    let half = plain.count / 2
    for cut in [100, half] {
      let archive =
        packed(Array(plain[..<cut]), facts: nil) + packed(Array(plain[cut...]), facts: nil)
      let path = try bench.directory.write(archive, to: "bundle/parts.gz")
      #expect(try error(bench, Seed(path: path))?.reason == .archiveOfSeveralMembers)
    }
  }

  @Test func `an empty packed file is called one`() throws {
    let bench = try InstallBench()
    let path = try bench.directory.write(packed([], facts: nil), to: "bundle/empty.gz")
    let reason = try error(bench, Seed(path: path))?.reason
    #expect(reason == .notADatabase(looksLike: "an empty file"))
  }

  /// The error of an installation that has to fail, and how many bytes it has written until then.
  private func refusal(
    of path: String, in bench: InstallBench
  ) throws -> (error: SeedError?, written: Int) {
    let written = Lock(0)
    var files = FileSystem.live
    files.write = { (descriptor, path, bytes) throws(FileError) in
      written.withLock { $0 += bytes.count }
      return try FileSystem.live.write(descriptor, path, bytes)
    }
    let error = #expect(throws: SeedError.self) {
      try Installation(
        seed: Seed(path: path), destination: bench.destination, options: InstallOptions(),
        files: files, databases: .live(on: files), watch: InstallWatch(nil, onProgress: nil)
      ).run()
    }
    return (error, written.withLock { $0 })
  }

  @Test func `what expands beyond the size in the database's header is stopped there`() throws {
    let bench = try InstallBench()
    let plain = try bench.directory.bytes(of: "bundle/default.sqlite")
    let path = try bench.directory.write(
      packed(plain + [UInt8](repeating: 0, count: 32 << 20), facts: nil),
      to: "bundle/default.sqlite.gz")
    let (error, written) = try refusal(of: path, in: bench)
    guard case .wrongSize(Int64(plain.count), _) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(written <= 1000)
    #expect(try bench.litter == [])
  }

  @Test func `what expands beyond its declared size is stopped there`() throws {
    let bench = try InstallBench()
    let plain = try bench.directory.bytes(of: "bundle/default.sqlite")
    let facts = ArchiveFacts(
      sha256: String(repeating: "0", count: 64), byteCount: Int64(plain.count), name: nil,
      version: nil, contentSHA256: nil, userVersion: 0, applicationID: 0)
    var archive = packed(plain + [UInt8](repeating: 0, count: 32 << 20), facts: facts)
    // The size at its end is made to agree.
    for (index, byte) in withUnsafeBytes(of: UInt32(plain.count).littleEndian, Array.init)
      .enumerated()
    {
      archive[archive.count - 4 + index] = byte
    }
    let path = try bench.directory.write(archive, to: "bundle/default.sqlite.gz")
    let (error, written) = try refusal(of: path, in: bench)
    guard case .wrongSize = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(written <= 2 * plain.count + 1000)
    #expect(try bench.litter == [])
  }

  @Test func `a size at its end that is not the declared one is refused at once`() throws {
    let (bench, seed) = try bench { $0[$0.count - 1] ^= 1 }
    #expect(try error(bench, seed)?.step == .checkSource)
  }

  @Test func `packed data that is no database is refused`() throws {
    let bench = try InstallBench()
    let path = try bench.directory.write(
      packed(Array("hello".utf8), facts: nil), to: "bundle/x.gz")
    let error = try error(bench, Seed(path: path))
    #expect(error?.step == .validate)
  }

  @Test func `the facts survive their field, among fields of others`() {
    let facts = ArchiveFacts(
      sha256: String(repeating: "a", count: 64), byteCount: 4096, name: "n", version: nil,
      contentSHA256: "c", userVersion: -1, applicationID: 7)
    let other: [UInt8] = [0x41, 0x42, 3, 0, 1, 2, 3]
    #expect(ArchiveFacts(extraField: facts.extraField) == facts)
    #expect(ArchiveFacts(extraField: other + facts.extraField + other) == facts)
    #expect(ArchiveFacts(extraField: other) == nil)
    #expect(ArchiveFacts(extraField: Array(facts.extraField.dropLast())) == nil)
  }

  @Test func `the same bytes are packed into the same bytes`() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    #expect(packed(bytes, facts: nil) == packed(bytes, facts: nil))
    #expect(packed(bytes, facts: nil)[4..<10] == [0, 0, 0, 0, 2, 255])
  }
}
