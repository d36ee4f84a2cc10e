import SeedFiles
import SeedModel
import SeedProject
import TestSupport
import Testing

@Suite struct ProjectFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func error(reading path: String, files: FileSystem = .live) throws -> ProjectError {
    let errors = try #require(throws: ProjectErrors.self) {
      try ProjectFile.read(path, files: files)
    }
    return try #require(errors.errors.first)
  }

  @Test func `a file is read and its paths are relative to its folder`() throws {
    let path = try directory.write("{\"sources\":[{\"file\":\"a.xml\"}]}", to: "seed.json")
    let project = try ProjectFile.read(path)
    #expect(project.path == path)
    #expect(project.resolved("a.xml") == directory.path("a.xml"))
  }

  @Test func `a missing file and a directory are told apart`() throws {
    #expect(try error(reading: directory.path("none.json")).reason == .missing)
    #expect(try error(reading: directory.path).reason == .isDirectory)
    try directory.write("{}", to: "file")
    #expect(try error(reading: directory.path("file/seed.json")).reason == .missing)
  }

  @Test func `a file that is too large is not read to its end`() throws {
    let text = String(repeating: " ", count: ProjectFile.byteLimit + 1)
    let path = try directory.write(text, to: "seed.json")
    let error = try error(reading: path)
    #expect(error.reason == .tooLarge)
    #expect(error.description == "the file is larger than 4 MiB")
  }

  @Test func `a refusal of the system is passed on`() throws {
    let path = try directory.write("{}", to: "seed.json")
    // Looking at the file is the first operation, opening it the second.
    let faulty = FaultyFiles(failing: 3, code: 5)
    let error = try error(reading: path, files: faulty.files)
    guard case .unreadable(let cause) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(cause.operation == .read)
    #expect(cause.code == 5)
  }
}
