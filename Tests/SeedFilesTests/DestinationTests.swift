import Foundation
import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@Suite struct DestinationTests {
  static let header = "SQLite format 3\0"

  /// The error of a destination that must be refused, with nothing left behind.
  private func refusal(
    of path: String, replacing replacement: Replacement = .sqliteDatabase,
    in directory: TemporaryDirectory
  ) throws -> PublishError {
    let names = try directory.names
    let error = #expect(throws: PublishError.self) {
      _ = try PendingFile(for: path, replacing: replacement)
    }
    #expect(try directory.names == names)
    let refusal = try #require(error)
    #expect(refusal.path == path)
    #expect(refusal.isCreation)
    return refusal
  }

  private func publish(to path: String, replacing replacement: Replacement) throws {
    let file = try PendingFile(for: path, replacing: replacement)
    try Array("new".utf8).withUnsafeBytes { try file.write($0) }
    try file.publish()
  }

  @Test(arguments: ["", "/", "/.", "/../."])
  func `a directory is not replaced`(suffix: String) throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("a/b")
    let error = try refusal(of: directory.path("a/b" + suffix), in: directory)
    #expect(error.reason == .isDirectory)
    #expect(error.message == "is a directory")
    #expect(error.hint == "give the name of a file in it")
  }

  @Test func `a missing directory is named`() throws {
    let directory = try TemporaryDirectory()
    let error = try refusal(of: directory.path("no/out"), in: directory)
    #expect(error.reason == .directoryMissing(directory.path("no")))
    #expect(error.hint == "create the directory first")
    #expect(
      error.description == "\(directory.path("no/out")): directory \"\(directory.path("no"))\" "
        + "does not exist")
    let slashed = try refusal(of: directory.path("no/"), in: directory)
    #expect(slashed.reason == .directoryMissing(directory.path("no")))
  }

  @Test func `a path through a file is refused`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("x", to: "file")
    let error = try refusal(of: directory.path("file/out"), in: directory)
    #expect(error.reason == .notADirectory(directory.path("file")))
    #expect(error.message == "\"\(directory.path("file"))\" is not a directory")
  }

  @Test(arguments: ["", "a\0b"])
  func `a path that is no file name is refused`(path: String) throws {
    let directory = try TemporaryDirectory()
    #expect(try refusal(of: path, in: directory).reason == .notAFileName)
  }

  @Test func `a name that is too long is refused with the system's reason`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path(String(repeating: "x", count: 256))
    let error = try refusal(of: path, in: directory)
    #expect(error.cause?.code == ENAMETOOLONG)
    #expect(error.message == "cannot create the file: file name too long")
  }

  @Test(arguments: [Replacement.anyFile, .sqliteDatabase])
  func `a pipe is not replaced`(replacement: Replacement) throws {
    let directory = try TemporaryDirectory()
    #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
    let error = try refusal(of: directory.path("pipe"), replacing: replacement, in: directory)
    #expect(error.reason == .notARegularFile)
    #expect(error.hint == "choose another name")
  }

  @Test func `a device is not replaced`() throws {
    let directory = try TemporaryDirectory()
    #expect(try refusal(of: "/dev/full", in: directory).reason == .notARegularFile)
  }

  @Test(arguments: ["notes", "SQLite format 3", "SQLite format 2\0...", "\0"])
  func `a file that is no database is kept`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "notes.txt")
    let error = try refusal(of: path, in: directory)
    #expect(error.reason == .notADatabase)
    #expect(error.message == "exists and is not an SQLite database")
    #expect(error.hint == "choose another name, or delete the file")
    #expect(try directory.text(of: "notes.txt") == text)
    try publish(to: path, replacing: .anyFile)
    #expect(try directory.text(of: "notes.txt") == "new")
  }

  @Test(arguments: ["", header, header + "more"])
  func `an empty file and a database are replaced`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "out")
    try publish(to: path, replacing: .sqliteDatabase)
    #expect(try directory.text(of: "out") == "new")
  }

  @Test(arguments: ["notes", "<!doctype html>", header])
  func `a file that is no page is not replaced by one`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "page.html")
    let error = try refusal(of: path, replacing: .file(.htmlPage), in: directory)
    #expect(error.reason == .otherKind("an HTML page"))
    #expect(error.message == "exists and is not an HTML page")
    #expect(error.hint == "choose another name, or delete the file")
    #expect(try directory.text(of: "page.html") == text)
  }

  @Test(arguments: ["", "<!DOCTYPE html>\n<p>"])
  func `an empty file and a page are replaced by a page`(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "page.html")
    // A log belongs to a database, and a page is none.
    try directory.write("log", to: "page.html-wal")
    try publish(to: path, replacing: .file(.htmlPage))
    #expect(try directory.text(of: "page.html") == "new")
  }

  @Test(arguments: ["-wal", "-journal"], [false, true])
  func `an unfinished log beside the destination is not paired with a new file`(
    suffix: String, isDatabaseThere: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    if isDatabaseThere { try directory.write(Self.header, to: "out") }
    try directory.write("log", to: "out" + suffix)
    let error = try refusal(of: path, in: directory)
    #expect(error.reason == .unfinishedLog(path + suffix))
    #expect(error.message == "an unfinished log lies beside it: \"\(path + suffix)\"")
    #expect(error.hint?.hasPrefix("close the program that has the database open") == true)
    try publish(to: path, replacing: .anyFile)
  }

  @Test func `a finished log does not matter`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Self.header, to: "out")
    try directory.write("", to: "out-wal")
    // What `journal_mode=PERSIST` leaves after a commit.
    try directory.write([0, 0, 0, 0, 9], to: "out-journal")
    try publish(to: path, replacing: .sqliteDatabase)
    #expect(try directory.text(of: "out") == "new")
  }

  @Test func `a database in use is refused until its log is gone`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA journal_mode=WAL; CREATE TABLE t (a)")
    #expect(try refusal(of: path, in: directory).reason == .unfinishedLog(path + "-wal"))
    try connection.close()
    try publish(to: path, replacing: .sqliteDatabase)
  }

  @Test func `a link is followed and stays`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("real")
    try directory.write(Self.header, to: "real/out")
    try directory.link("second", to: "real/out")
    let path = try directory.link("first", to: directory.path("second"))
    let file = try PendingFile(for: path, replacing: .sqliteDatabase)
    #expect(file.temporaryPath.hasPrefix(directory.path("real/.out.seed-")))
    try Array("new".utf8).withUnsafeBytes { try file.write($0) }
    try file.publish()
    #expect(try directory.text(of: "real/out") == "new")
    #expect(try FileSystem.live.linkStatus(path)?.kind == .symbolicLink)
    #expect(try directory.names == ["first", "real", "second"])
  }

  @Test func `a dangling link creates its target`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("real")
    let path = try directory.link("out", to: "real/new")
    try publish(to: path, replacing: .sqliteDatabase)
    #expect(try directory.text(of: "real/new") == "new")
    #expect(try FileSystem.live.linkStatus(path)?.kind == .symbolicLink)
  }

  @Test func `a link into a missing directory is refused`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.link("out", to: "no/new")
    let error = try refusal(of: path, in: directory)
    #expect(error.reason == .directoryMissing(directory.path("no")))
  }

  @Test(arguments: ["out", "loop/out"])
  func `links that lead to each other are refused`(name: String) throws {
    let directory = try TemporaryDirectory()
    try directory.link("out", to: "back")
    try directory.link("back", to: "out")
    try directory.link("loop", to: "loop")
    let error = try refusal(of: directory.path(name), in: directory)
    #expect(error.reason == .linkLoop)
    #expect(error.message == "too many symbolic links")
  }

  @Test func `a link to a directory or a device is refused for what it leads to`() throws {
    let directory = try TemporaryDirectory()
    try directory.link("d", to: ".")
    try directory.link("n", to: "/dev/null")
    #expect(try refusal(of: directory.path("d"), in: directory).reason == .isDirectory)
    #expect(try refusal(of: directory.path("n"), in: directory).reason == .notARegularFile)
  }

  @Test func `a name without a directory lies in the working directory`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try #require(FileManager.default.changeCurrentDirectoryPath(path))
      let file = try PendingFile(for: "out", replacing: .anyFile)
      #expect(file.temporaryPath.hasPrefix(path + "/.out.seed-"))
      // The place is fixed when the build starts.
      try #require(FileManager.default.changeCurrentDirectoryPath("/"))
      try file.publish()
    }
    #expect(try directory.names == ["out"])
  }
}
