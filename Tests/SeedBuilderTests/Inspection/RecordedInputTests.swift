import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct RecordedInputTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func inputs(in manifest: String) throws -> [RecordedInput] {
    try directory.write(manifest, to: "a.sqlite.manifest.json")
    return RecordedInput.read(besideDatabaseAt: directory.path("a.sqlite"))
  }

  @Test func `inputs have name, digest and size`() throws {
    let inputs = try inputs(
      in: """
        {"output": "a.sqlite", "inputs": [
          {"name": "a.xml", "sha256": "ab", "bytes": 7}, {"name": "b.xml", "more": [1]}
        ]}
        """)
    #expect(
      inputs == [
        RecordedInput(name: "a.xml", sha256: "ab", byteCount: 7), RecordedInput(name: "b.xml"),
      ])
  }

  @Test(arguments: [
    "", "null", "[]", "{", "{\"inputs\": 7}", "{\"inputs\": \"a\"}",
    "{\"inputs\": {\"name\": \"a\"}}",
    "{\"inputs\": [null, 1, \"a\", [], {}, {\"name\": 7}, {\"name\": null}]}", "\0{}",
  ])
  func `a manifest that lists no inputs gives none`(manifest: String) throws {
    #expect(try inputs(in: manifest).isEmpty)
  }

  @Test func `a digest and a size of other types are left out`() throws {
    let inputs = try inputs(
      in: "{\"inputs\": [{\"name\": \"a\", \"sha256\": {\"x\": 1}, \"bytes\": \"many\"}]}")
    #expect(inputs.map(\.byteCount) == [nil])
  }

  @Test func `a missing manifest, a directory and a huge file give none`() throws {
    #expect(RecordedInput.read(besideDatabaseAt: directory.path("none")).isEmpty)
    try directory.makeDirectory("b.manifest.json")
    #expect(RecordedInput.read(besideDatabaseAt: directory.path("b")).isEmpty)
    let blanks = String(repeating: " ", count: 4 << 20)
    #expect(try inputs(in: "{\"inputs\": [{\"name\": \"a\"}]}" + blanks).isEmpty)
  }
}
