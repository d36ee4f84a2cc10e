import Foundation
import SeedFiles
import SeedTransport
import TestSupport
import Testing

@Suite struct PartFileTests {
  @Test func `a child that keeps the descriptor does not keep the lock`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("data.part")
    let copies = Lock<[Int32]>([])
    var files = FileSystem.live
    files.open = { (path, mode) throws(FileError) in
      let descriptor = try FileSystem.live.open(path, mode)
      // What a fork leaves to the child.
      copies.withLock { $0.append(dup(descriptor)) }
      return descriptor
    }
    var part = try PartFile(at: path, files: files)
    #expect(part != nil)
    #expect(try PartFile(at: path) == nil)
    part = nil
    #expect(try PartFile(at: path) != nil)
    for copy in copies.withLock({ $0 }) { close(copy) }
  }
}
