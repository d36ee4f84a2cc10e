import Foundation
import SeedFiles
import TestSupport
import Testing

@Suite struct FileSystemTests {
  private let files = FileSystem.live

  @Test func `a full disk is told from other failures`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let error = #expect(throws: FileError.self) {
      try [UInt8(1)].withUnsafeBytes { try files.writeAll(descriptor, "/dev/full", $0) }
    }
    #expect(error == FileError(.write, "/dev/full", code: ENOSPC))
    #expect(error?.isFull == true && error?.isMissing == false)
    #expect(error?.description == "/dev/full: no space left on device (write)")
    #expect(error?.hint == "free some space on the disk, or write to another one")
  }

  @Test func `what is missing has no status and cannot be opened`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("none")
    #expect(try files.status(path) == nil)
    #expect(try files.linkStatus(path) == nil)
    let error = #expect(throws: FileError.self) { try files.open(path, .read) }
    #expect(error?.isMissing == true)
    try directory.write("x", to: "file")
    let through = #expect(throws: FileError.self) {
      try files.open(directory.path("file/x"), .read)
    }
    #expect(through?.code == ENOTDIR && through?.isMissing == true)
  }

  @Test func `a path with a NUL names no file`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("x", to: "a")
    let path = directory.path("a\0b")
    #expect(throws: FileError(.open, path, code: EINVAL)) { try files.open(path, .read) }
    #expect(throws: FileError(.unlink, path, code: EINVAL)) { try files.unlink(path) }
    #expect(throws: FileError(.stat, path, code: EINVAL)) { try files.status(path) }
    #expect(try directory.names == ["a"])
  }

  @Test func `a new file is not created over anything`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("x", to: "a")
    try directory.link("dangling", to: "none")
    for name in ["a", "dangling"] {
      let error = #expect(throws: FileError.self) {
        try files.open(directory.path(name), .createNew(permissions: 0o600))
      }
      #expect(error?.code == EEXIST)
    }
    #expect(try directory.names == ["a", "dangling"])
  }

  @Test func `the names in a directory are all there`() throws {
    let directory = try TemporaryDirectory()
    let names = (0..<300).map { "größe \($0)" } + [".hidden"]
    for name in names { try directory.write("", to: name) }
    #expect(try files.names(directory.path).sorted() == names.sorted())
    let error = #expect(throws: FileError.self) { try files.names(directory.path("none")) }
    #expect(error?.operation == .readDirectory)
  }

  @Test func `a status tells kinds and identities apart`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("12345", to: "file")
    let link = try directory.link("link", to: "file")
    #expect(try files.status(file)?.byteCount == 5)
    #expect(try files.status(link) == files.status(file))
    #expect(try files.linkStatus(link)?.kind == .symbolicLink)
    #expect(try files.linkTarget(link) == "file")
    #expect(try files.status(directory.path)?.kind == .directory)
    #expect(try files.status("/dev/null")?.kind == .other)
    #expect(try files.realPath(link) == file)
    #expect(try files.linkStatus(link)?.identity != files.status(file)?.identity)
  }

  @Test func `a lock is held by one descriptor at a time`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("", to: "a")
    let first = try files.open(path, .read)
    let second = try files.open(path, .read)
    #expect(try files.tryLock(first, path))
    #expect(try !files.tryLock(second, path))
    files.close(first)
    #expect(try files.tryLock(second, path))
    files.close(second)
  }

  @Test func `a directory is synchronized`() throws {
    let directory = try TemporaryDirectory()
    let descriptor = try files.open(directory.path, .directory)
    defer { files.close(descriptor) }
    try files.synchronizeDirectory(descriptor, directory.path)
    #expect(throws: FileError(.fsync, "closed", code: EBADF)) {
      try files.synchronizeDirectory(-1, "closed")
    }
    #expect(throws: FileError(.fsync, "closed", code: EBADF)) {
      try files.synchronize(-1, "closed")
    }
  }
}
