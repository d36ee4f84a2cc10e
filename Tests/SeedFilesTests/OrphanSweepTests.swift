import Foundation
import SeedFiles
import TestSupport
import Testing

@Suite struct OrphanSweepTests {
  @Test(arguments: [
    ".out.seed-1-1", ".out.seed-999999-42", ".out.seed-1-1-journal", ".out.seed-7-7-wal",
  ])
  func `what a killed build left is deleted`(name: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write("half", to: name)
    let file = try PendingFile(for: directory.path("out"), replacing: .anyFile)
    #expect(try directory.names.contains(name) == false)
    try file.publish()
  }

  @Test func `an orphan goes with the files beside it`() throws {
    let directory = try TemporaryDirectory()
    for suffix in ["", "-journal", "-wal", "-shm"] {
      try directory.write("half", to: ".out.seed-12-3" + suffix)
    }
    try PendingFile(for: directory.path("out"), replacing: .anyFile).publish()
    #expect(try directory.names == ["out"])
  }

  @Test(arguments: [
    ".other.seed-1-1", ".out.seed-1", ".out.seed-1-x", ".out.seed--1", ".out.seed-1-1-1",
    "out.seed-1-1", ".out.seed-1-1.txt", ".out.seed-1-1-backup", ".outer.seed-1-1",
  ])
  func `a file of another name is left alone`(name: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write("mine", to: name)
    try PendingFile(for: directory.path("out"), replacing: .anyFile).publish()
    #expect(try directory.names.contains(name))
  }

  @Test func `a file that another build holds is left alone until it ends`() throws {
    let directory = try TemporaryDirectory()
    let name = ".out.seed-1-1"
    try directory.write("half", to: name)
    try directory.write("log", to: name + "-journal")
    let descriptor = open(directory.path(name), O_RDONLY | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try PendingFile(for: directory.path("out"), replacing: .anyFile).publish()
    #expect(try directory.names == [name, name + "-journal", "out"])
    close(descriptor)
    try PendingFile(for: directory.path("out"), replacing: .anyFile).publish()
    #expect(try directory.names == ["out"])
  }

  @Test func `a build of the same process is left alone`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    let first = try PendingFile(for: path, replacing: .anyFile)
    let live = FileSystem.live
    let opened = Notes()
    var files = live
    files.open = { (path, mode) throws(FileError) in
      opened.add(path)
      return try live.open(path, mode)
    }
    let second = try PendingFile(for: path, replacing: .anyFile, files: files)
    // Not even opened: closing it again would drop the locks of SQLite in this process.
    #expect(opened.all == [second.temporaryPath])
    #expect(first.temporaryPath != second.temporaryPath)
    #expect(try directory.names.count == 2)
    try first.publish()
    try second.publish()
    #expect(try directory.names == ["out"])
  }

  @Test func `links, directories and pipes under such a name are left alone`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("mine", to: "target")
    try directory.link(".out.seed-1-1", to: "target")
    try directory.makeDirectory(".out.seed-1-2")
    #expect(mkfifo(directory.path(".out.seed-1-3"), 0o600) == 0)
    try PendingFile(for: directory.path("out"), replacing: .anyFile).publish()
    #expect(
      try directory.names == [".out.seed-1-1", ".out.seed-1-2", ".out.seed-1-3", "out", "target"])
  }

  @Test func `a build that is killed leaves a file that the next one deletes`() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("old", to: "out")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let file = try PendingFile(for: path, replacing: .anyFile)
      try Array("half".utf8).withUnsafeBytes { try file.write($0) }
      kill(getpid(), SIGKILL)
      try file.publish()
    }
    #expect(try directory.names.count == 2)
    #expect(try directory.text(of: "out") == "old")
    try PendingFile(for: path, replacing: .anyFile).publish()
    #expect(try directory.names == ["out"])
  }

  @Test func `a file that took an orphan's name meanwhile is left alone`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("half", to: ".out.seed-1-1")
    var files = FileSystem.live
    files.tryLock = { (descriptor, lockedPath) throws(FileError) in
      if lockedPath == path {
        // Another sweep deletes the orphan, and another build takes its name.
        #expect(rename(path, path + "-gone") == 0)
        #expect(FileManager.default.createFile(atPath: path, contents: Data("live".utf8)))
      }
      return try FileSystem.live.tryLock(descriptor, lockedPath)
    }
    try PendingFile(for: directory.path("out"), replacing: .anyFile, files: files).publish()
    #expect(try directory.text(of: ".out.seed-1-1") == "live")
  }

  @Test func `a name that is taken is passed over`() throws {
    let directory = try TemporaryDirectory()
    var files = FileSystem.live
    let isFirst = Notes()
    files.open = { (path, mode) throws(FileError) in
      if case .createNew = mode, isFirst.all.isEmpty {
        isFirst.add(path)
        throw FileError(.open, path, code: EEXIST)
      }
      return try FileSystem.live.open(path, mode)
    }
    let file = try PendingFile(for: directory.path("out"), replacing: .anyFile, files: files)
    #expect(isFirst.all.count == 1)
    #expect(isFirst.all != [file.temporaryPath])
  }

  @Test func `a new file that a sweep took for an orphan is replaced by another`() throws {
    let directory = try TemporaryDirectory()
    var files = FileSystem.live
    let swept = Notes()
    files.tryLock = { (descriptor, path) throws(FileError) in
      if swept.all.isEmpty {
        swept.add(path)
        // Another build's sweep comes between the creation and the lock.
        try FileSystem.live.unlink(path)
      }
      return try FileSystem.live.tryLock(descriptor, path)
    }
    let file = try PendingFile(for: directory.path("out"), replacing: .anyFile, files: files)
    #expect(swept.all.count == 1)
    #expect(swept.all != [file.temporaryPath])
    try file.publish()
    #expect(try directory.names == ["out"])
  }
}
