import Foundation
import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@Suite struct PendingFileTests {
  static let header = "SQLite format 3\0"

  /// Builds a file with a text and publishes it.
  private func publish(
    _ text: String, to path: String, replacing replacement: Replacement = .anyFile,
    files: FileSystem = .live
  ) throws {
    let file = try PendingFile(for: path, replacing: replacement, files: files)
    var text = text
    try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
    try file.publish()
  }

  @Test func `a new file appears under its name when it is published`() throws {
    let directory = try TemporaryDirectory()
    let file = try PendingFile(for: directory.path("out"), replacing: .anyFile)
    #expect(try directory.names.count == 1)
    #expect(try directory.names.first?.hasPrefix(".out.seed-\(getpid())-") == true)
    try Array("new".utf8).withUnsafeBytes { try file.write($0) }
    try file.publish()
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "new")
  }

  @Test func `a database that another process has locked is not replaced`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.header, to: "out")
    var files = FileSystem.live
    files.recordLockHolder = { (_, lockedPath, offset, count) throws(FileError) in
      // The bytes that SQLite's readers and writers lock.
      (offset, count) == (1 << 30, 512) && lockedPath.hasSuffix("/out") ? 4711 : nil
    }
    #expect(throws: PublishError(.isOpen(process: 4711), path: path)) {
      try publish("new", to: path, replacing: .sqliteDatabase, files: files)
    }
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == Self.header)
    try publish("new", to: path, replacing: .anyFile, files: files)
  }

  @Test func `letting go of an unpublished file deletes it and keeps the old one`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("old", to: "out")
    do {
      let file = try PendingFile(for: path, replacing: .anyFile)
      try Array("new".utf8).withUnsafeBytes { try file.write($0) }
      let name = try #require(file.temporaryPath.split(separator: "/").last)
      try directory.write("log", to: name + "-journal")
      #expect(try directory.names.count == 3)
    }
    #expect(try directory.names == ["out"])
    #expect(try directory.text(of: "out") == "old")
  }

  @Test func `SQLite writes the file under its temporary name`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out.sqlite")
    for value in 1...2 {
      let file = try PendingFile(for: path, replacing: .sqliteDatabase)
      let writer = try Connection(path: file.temporaryPath, mode: .readWrite)
      try writer.execute("CREATE TABLE t AS SELECT \(value) AS a")
      try writer.close()
      try file.publish()
      let reader = try Connection(path: path, mode: .readOnly)
      #expect(try reader.scalarInteger("SELECT a FROM t") == Int64(value))
      #expect(try directory.names == ["out.sqlite"])
    }
  }

  @Test func `the digest and size are those of the written bytes`() throws {
    let directory = try TemporaryDirectory()
    let file = try PendingFile(for: directory.path("out"), replacing: .anyFile)
    let bytes = [UInt8](repeating: 7, count: 200_001)
    try bytes.withUnsafeBytes { try file.write($0) }
    var expected = SHA256Digest()
    bytes.withUnsafeBytes { expected.update($0) }
    let (sha256, byteCount) = try file.digest()
    #expect(sha256 == expected.finalize())
    #expect(byteCount == 200_001)
  }

  @Test func `a replaced file keeps its permissions`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("old", to: "out")
    for permissions in [0o400, 0o640, 0o777, 0o604] {
      #expect(chmod(path, mode_t(permissions)) == 0)
      let file = try PendingFile(for: path, replacing: .anyFile)
      let temporary = try FileSystem.live.status(file.temporaryPath)?.permissions ?? 0
      #expect(Int(temporary) & ~(permissions | 0o600) == 0, "never wider while it is built")
      #expect(temporary & 0o600 == 0o600)
      try file.publish()
      #expect(try FileSystem.live.status(path)?.permissions == UInt16(permissions))
    }
  }

  @Test func `a new file gets the permissions that the process gives to new files`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "plain")
    try publish("new", to: directory.path("out"))
    let files = FileSystem.live
    let mask = umask(0)
    umask(mask)
    #expect(
      try files.status(directory.path("out"))?.permissions == UInt16(0o666 & ~Int(mask)))
  }

  @Test func `a long name is cut in the temporary name`() throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "ü", count: 127)
    let file = try PendingFile(for: directory.path(name), replacing: .anyFile)
    let temporary = try #require(try directory.names.first)
    #expect(temporary.utf8.count <= 247)
    #expect(temporary.hasPrefix(".üüü"))
    // SQLite's journal beside it must fit as well.
    try directory.write("log", to: temporary + "-journal")
    try file.publish()
    #expect(try directory.names.contains(name))
  }

  @Test func `builds at the same time each publish a whole file`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    let texts = (0..<8).map { String(repeating: "\($0)", count: 100_000) }
    let failures = Notes()
    DispatchQueue.concurrentPerform(iterations: texts.count) { index in
      do {
        for _ in 0..<5 { try publish(texts[index], to: path) }
      } catch {
        failures.add("\(error)")
      }
    }
    #expect(failures.all == [])
    #expect(try directory.names == ["out"])
    #expect(texts.contains(try directory.text(of: "out")))
  }

  @Test(arguments: FaultyFiles.Extent.allCases, [false, true])
  func `a failure at any operation leaves the old file or the new one`(
    extent: FaultyFiles.Extent, isReplacing: Bool
  ) throws {
    var outcomes: Set<String> = []
    var number = 1
    while true {
      let directory = try TemporaryDirectory()
      let path = directory.path("out")
      if isReplacing { try directory.write(Self.header + "old", to: "out") }
      let faulty = FaultyFiles(failing: number, extent)
      do {
        try publish(
          Self.header + "new", to: path, replacing: .sqliteDatabase, files: faulty.files)
        outcomes.insert("published")
      } catch let error as PublishError {
        #expect(error.cause?.code == EIO, "\(error) at operation \(number)")
        outcomes.insert(error.isCreation ? "not created" : "not published")
      }
      let text = try directory.names.contains("out") ? directory.text(of: "out") : nil
      let old = isReplacing ? Self.header + "old" : nil
      #expect(text == old || text == Self.header + "new", "at operation \(number)")
      if extent == .allAfter {
        // Not even the deletion worked; the next build sweeps what is left.
        try publish(Self.header + "next", to: path, replacing: .sqliteDatabase)
      }
      #expect(try directory.names == (text == nil && extent == .one ? [] : ["out"]))
      if !faulty.isReached { break }
      number += 1
    }
    #expect(number > 10)
    #expect(outcomes == ["published", "not created", "not published"])
  }

  @Test func `a failed rename reports its cause and deletes the temporary file`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("old", to: "out")
    var files = FileSystem.live
    files.rename = { (_, to) throws(FileError) in throw FileError(.rename, to, code: ENOSPC) }
    let error = #expect(throws: PublishError.self) { try publish("new", to: path, files: files) }
    #expect(error?.reason == .cannotPublish(FileError(.rename, path, code: ENOSPC)))
    #expect(
      error?.description == "\(path): cannot write the file: no space left on device (rename)")
    #expect(error?.hint == "free some space on the disk, or write to another one")
    #expect(try directory.text(of: "out") == "old")
    #expect(try directory.names == ["out"])
  }

  @Test func `the bytes are on the disk before the name and the name before the end`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("old", to: "out")
    let live = FileSystem.live
    let steps = Notes()
    var files = live
    files.write = { (descriptor, path, bytes) throws(FileError) in
      steps.add("write")
      return try live.write(descriptor, path, bytes)
    }
    files.setPermissions = { (descriptor, path, permissions) throws(FileError) in
      steps.add("set permissions")
      try live.setPermissions(descriptor, path, permissions)
    }
    files.synchronize = { (descriptor, path) throws(FileError) in
      steps.add("synchronize")
      try live.synchronize(descriptor, path)
    }
    files.rename = { (from, to) throws(FileError) in
      steps.add("rename")
      try live.rename(from, to)
    }
    files.synchronizeDirectory = { (descriptor, path) throws(FileError) in
      steps.add("synchronize directory")
      try live.synchronizeDirectory(descriptor, path)
    }
    files.unlink = { (path) throws(FileError) in
      steps.add("unlink")
      try live.unlink(path)
    }
    try publish("new", to: path, files: files)
    #expect(
      steps.all
        == ["write", "set permissions", "synchronize", "rename", "synchronize directory"])
  }

  @Test func `a failed synchronization is not tried again`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    let faulty = Notes()
    var files = FileSystem.live
    files.synchronize = { (_, path) throws(FileError) in
      faulty.add("fsync")
      throw FileError(.fsync, path, code: EIO)
    }
    let error = #expect(throws: PublishError.self) { try publish("new", to: path, files: files) }
    #expect(error?.cause?.operation == .fsync)
    #expect(faulty.all == ["fsync"])
    #expect(try directory.names == [])
  }

  @Test func `writes that take a part at a time still write everything`() throws {
    let directory = try TemporaryDirectory()
    var files = FileSystem.live
    files.write = { (descriptor, path, bytes) throws(FileError) in
      try FileSystem.live.write(descriptor, path, UnsafeRawBufferPointer(rebasing: bytes.prefix(3)))
    }
    try publish("0123456789", to: directory.path("out"), files: files)
    #expect(try directory.text(of: "out") == "0123456789")
  }

  @Test func `a destination that became a directory is not replaced`() throws {
    let directory = try TemporaryDirectory()
    let file = try PendingFile(for: directory.path("out"), replacing: .anyFile)
    try directory.makeDirectory("out")
    let error = refusal(of: file)
    #expect(error?.reason == .isDirectory)
    #expect(try directory.names == ["out"])
  }

  @Test func `a log that appeared during the build stops the publication`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.header, to: "out")
    let file = try PendingFile(for: path, replacing: .sqliteDatabase)
    try directory.write("log", to: "out-wal")
    let error = refusal(of: file)
    #expect(error?.reason == .unfinishedLog(path + "-wal"))
    #expect(try directory.names == ["out", "out-wal"])
  }

  /// The error of a publication that must fail.
  private func refusal(of file: consuming PendingFile) -> PublishError? {
    do throws(PublishError) {
      try file.publish()
      Issue.record("the file was published")
      return nil
    } catch {
      return error
    }
  }
}

/// What happened, noted from any thread.
///
/// `@unchecked` is safe: the texts are guarded by the lock.
final class Notes: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
