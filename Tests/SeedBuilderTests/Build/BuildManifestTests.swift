import Foundation
import SeedFiles
import SeedFormat
import SeedModel
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct BuildManifestTests {
  private static let name = "out.sqlite.manifest.json"

  private func workspace() throws -> BuildWorkspace {
    var workspace = try BuildWorkspace()
    workspace.options.writesManifest = true
    return workspace
  }

  private func members(_ text: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }

  private func sha256(_ bytes: [UInt8]) -> String {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.hexadecimal()
  }

  @Test func `the manifest describes the file, its tables and its inputs`() throws {
    let workspace = try workspace()
    _ = try Build.run(workspace.options)
    let output = try workspace.output
    let manifest = try members(try workspace.directory.text(of: Self.name))
    #expect(manifest["format"] as? Int == 1)
    #expect(manifest["file"] as? String == "out.sqlite")
    #expect(manifest["sha256"] as? String == sha256(output))
    #expect(manifest["bytes"] as? Int == output.count)
    #expect(manifest["content_sha256"] as? String == (try workspace.stamp?.contentSHA256))
    #expect(manifest["tool"] as? String == (try workspace.stamp?.tool))
    #expect(manifest["user_version"] as? Int == 0)
    #expect(manifest["application_id"] as? Int == 0)
    #expect(manifest["schema"] is NSNull)
    #expect(manifest["page_size"] as? Int == 4096)
    let tables = try #require(manifest["tables"] as? [[String: Any]])
    #expect(tables.map { $0["name"] as? String } == ["Event"])
    #expect(tables.map { $0["rows"] as? Int } == [3])
    let inputs = try #require(manifest["inputs"] as? [[String: Any]])
    let source = try workspace.directory.bytes(of: "Events.xml")
    #expect(inputs.map { $0["name"] as? String } == ["Events.xml"])
    #expect(inputs.map { $0["sha256"] as? String } == [sha256(source)])
    #expect(inputs.map { $0["bytes"] as? Int } == [source.count])
  }

  @Test func `members are sorted and nothing else is in the folder`() throws {
    let workspace = try workspace()
    _ = try Build.run(workspace.options)
    let lines = try workspace.directory.text(of: Self.name).split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("  \"") }.map { $0.prefix { $0 != ":" } }
    #expect(names.count == 12)
    #expect(names == names.sorted())
    #expect(try workspace.directory.names == ["Events.xml", "out.sqlite", Self.name])
  }

  @Test func `two folders give the same manifest`() throws {
    let texts = try (0..<2).map { _ in
      let workspace = try workspace()
      _ = try Build.run(workspace.options)
      let text = try workspace.directory.text(of: Self.name)
      #expect(!text.contains(workspace.directory.path))
      return text
    }
    #expect(texts[0] == texts[1])
  }

  @Test func `a manifest that cannot be written leaves the old database`() throws {
    let workspace = try workspace()
    _ = try Build.run(workspace.options)
    let before = try workspace.output
    try FileManager.default.removeItem(atPath: workspace.directory.path(Self.name))
    try workspace.directory.makeDirectory(Self.name)
    try workspace.change("Hof", to: "Kiel")
    let error = #expect(throws: BuildError.self) { try Build.run(workspace.options) }
    #expect(error?.reason == .cannotCreate)
    #expect(try workspace.output == before)
  }

  @Test func `a manifest that is older than its database is noticed and written again`() throws {
    // What a crash between the two renames leaves: the new database and the old manifest.
    let workspace = try workspace()
    _ = try Build.run(workspace.options)
    let old = try workspace.directory.text(of: Self.name)
    try workspace.change("Hof", to: "Kiel")
    _ = try Build.run(workspace.options)
    try workspace.directory.write(old, to: Self.name)
    #expect(try Build.check(workspace.options).findings.map(\.code) == [.manifest])
    #expect(try Build.runIfChanged(workspace.options) != nil)
    #expect(try Build.check(workspace.options).isUpToDate)
  }

  @Test(arguments: [
    (#"  "page_size""#, #"    "page_size""#, "has other blanks or line ends in line 14"),
    ("\n", "\r\n", "has other blanks or line ends in line 1"),
    ("}\n#", "}#", "has other line ends at its end"),
    ("}\n#", "}\n\n#", "has other line ends at its end"),
    ("}\n#", "}\nx\n#", "says x in line 26, where nothing more is expected"),
    ("\n}\n#", "#", "lacks } in line 25"),
    (
      #""page_size": 4096"#, #""page_size": 512"#,
      #"says "page_size": 512 and not "page_size": 4096"#
    ),
  ])
  func `a check says how a manifest differs`(
    part: String, change: String, difference: String
  ) throws {
    let workspace = try workspace()
    _ = try Build.run(workspace.options)
    let old = try workspace.directory.text(of: Self.name) + "#"
    #expect(old.contains(part))
    let changed = old.replacing(part, with: change).replacing("#", with: "")
    try workspace.directory.write(changed, to: Self.name)
    #expect(
      try Build.check(workspace.options).findings.map(\.message)
        == ["the manifest is another one: it \(difference)"])
  }

  @Test func `a build without a manifest warns of one that is left`() throws {
    var workspace = try workspace()
    _ = try Build.run(workspace.options)
    let warnings = Warnings()
    workspace.options.writesManifest = false
    workspace.options.onDiagnostic = { warnings.append($0.message) }
    _ = try Build.run(workspace.options)
    #expect(warnings.list == ["the manifest is that of the database before"])
  }
}

/// What a build said; it says all on the thread that started it.
private final class Warnings: @unchecked Sendable {
  private(set) var list: [String] = []

  func append(_ message: String) { list.append(message) }
}
