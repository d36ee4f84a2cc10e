import Foundation
import SeedFiles
import TestSupport
import Testing

@Suite struct SpoolFileTests {
  /// Everything from where reading goes on, read in pieces.
  private func rest(of spool: SpoolFile, piece: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: piece)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try spool.read(into: $0) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  @Test func `what is appended is read again as often as wanted`() throws {
    let directory = try TemporaryDirectory()
    let spool = try SpoolFile(in: directory.path)
    #expect(try directory.names == [], "the file has no name")
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    for start in stride(from: 0, to: bytes.count, by: 30_000) {
      try bytes[start..<min(start + 30_000, bytes.count)].withUnsafeBytes { try spool.append($0) }
    }
    #expect(spool.byteCount == 100_000)
    #expect(try rest(of: spool, piece: 4096) == bytes)
    spool.rewind()
    #expect(try rest(of: spool, piece: 99_999) == bytes)
    try [UInt8(9)].withUnsafeBytes { try spool.append($0) }
    #expect(try rest(of: spool, piece: 10) == [9])
  }

  @Test func `a missing directory is an error`() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: FileError.self) { try SpoolFile(in: directory.path("none")) }
    #expect(error?.isMissing == true)
    #expect(error?.path.hasPrefix(directory.path("none/")) == true)
  }

  @Test func `a full disk is an error of the append`() throws {
    let directory = try TemporaryDirectory()
    var files = FileSystem.live
    files.write = { (_, path, _) throws(FileError) in throw FileError(.write, path, code: ENOSPC) }
    let spool = try SpoolFile(in: directory.path, files: files)
    let error = #expect(throws: FileError.self) {
      try [UInt8(1)].withUnsafeBytes { try spool.append($0) }
    }
    #expect(error?.isFull == true)
    #expect(spool.byteCount == 0)
  }

  @Test(arguments: [false, true])
  func `the directory for temporary files is that of the environment`(isSet: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    await #expect(processExitsWith: .success) { [path = path as String, isSet] in
      setenv("TMPDIR", isSet ? path + "/none" : "", 1)
      if isSet {
        #expect(throws: FileError.self) { try SpoolFile() }
      } else {
        _ = try SpoolFile()
      }
    }
  }
}
