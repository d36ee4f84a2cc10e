import Foundation
import SeedModel
import TestSupport
import Testing

@testable import SeedInput

@Suite struct FileSourceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func reason(_ path: String) -> InputError.Reason? {
    #expect(throws: InputError.self) { _ = try FileSource(path: path) }?.reason
  }

  @Test func `a file is read whole, and again after a rewind`() throws {
    let path = try directory.write("<r/>", to: "a.xml")
    let file = try FileSource(path: path)
    #expect(file.isRegular)
    #expect(file.size == 4)
    #expect(try PieceSource.drain(file, step: 3) == Array("<r/>".utf8))
    #expect(file.byteCount == 4)
    try file.rewind()
    #expect(file.byteCount == 0)
    #expect(try PieceSource.drain(file) == Array("<r/>".utf8))
  }

  @Test func `a file that is not there is missing`() throws {
    try directory.write("", to: "file")
    #expect(reason(directory.path("no.xml")) == .missing)
    #expect(reason(directory.path("file/no.xml")) == .missing)
    try directory.link("dangling", to: "nowhere")
    #expect(reason(directory.path("dangling")) == .missing)
  }

  @Test func `a directory is no input`() throws {
    #expect(reason(directory.path) == .isDirectory)
  }

  @Test func `a file that is written to meanwhile is an error`() throws {
    let path = try directory.write("<r/>", to: "a.xml")
    let file = try FileSource(path: path)
    _ = try PieceSource.drain(file)
    try file.checkUnchanged()
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("<!-- -->".utf8))
    try handle.close()
    let error = InputError(.changedWhileRead, at: SeedModel.SourceLocation(file: path))
    #expect(throws: error) { try file.checkUnchanged() }
    #expect(throws: error) { try file.rewind() }
  }

  @Test func `a file that is replaced is still read`() throws {
    let path = try directory.write("<r/>", to: "a.xml")
    let file = try FileSource(path: path)
    try FileManager.default.removeItem(atPath: path)
    try directory.write("<other/>", to: "a.xml")
    #expect(try PieceSource.drain(file) == Array("<r/>".utf8))
    try file.checkUnchanged()
  }
}
