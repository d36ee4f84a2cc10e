import Foundation
import Testing

@testable import SeedCommand

/// Holds the documentation to what the tool says.
///
/// `Scripts/docs` renews the help texts in it.
@Suite struct DocumentationTests {
  private static let catalog = Project.root.appendingPathComponent("Sources/seed/Seed.docc")

  private func text(of file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }

  private func block(_ command: String, _ help: String) -> String {
    "<!-- help: \(command) -->\n```text\n\(help)```\n<!-- end of help -->"
  }

  @Test(arguments: CommandLineTool.specifications.map(\.name))
  func `every command has an article with its help`(name: String) throws {
    let specification = try CommandLineTool.command(named: name).specification
    let article = Self.catalog.appendingPathComponent("Commands/seed-\(name).md")
    try #require(FileManager.default.fileExists(atPath: article.path), "write \(article.path)")
    let text = try text(of: article)
    #expect(text.hasPrefix("# seed \(name)\n\n\(specification.summary)\n"))
    #expect(text.contains(block("seed \(name)", HelpText.help(for: specification))))
    let landing = try self.text(of: Self.catalog.appendingPathComponent("Seed.md"))
    #expect(landing.contains("- <doc:seed-\(name)>\n"))
  }

  @Test func `no article is about a command that is gone`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.catalog.appendingPathComponent("Commands").path)
    #expect(Set(files) == Set(CommandLineTool.specifications.map { "seed-\($0.name).md" }))
  }

  @Test(arguments: ["README.md", "Sources/seed/Seed.docc/Seed.md"])
  func `the list of commands is the tool's`(file: String) throws {
    let text = try text(of: Project.root.appendingPathComponent(file))
    #expect(text.contains(block("seed", HelpText.overview(of: CommandLineTool.specifications))))
  }

  @Test func `the guide's example becomes what the guide shows`() async throws {
    let guide = try text(of: Self.catalog.appendingPathComponent("Guides/WritingASeed.md"))
    let document = try #require(guide.firstMatch(of: /```xml\n(<Events>(?s).*?)```/)?.output.1)
    let workspace = try Workspace()
    try workspace.write(document.utf8, to: "Events.xml")
    let schema = try await workspace.seed(["schema", "Events.xml"])
    #expect(guide.contains("$ seed schema Events.xml\n\(schema.output)```"))
    #expect(schema.status == 0)
    let database = try await workspace.build(String(document))
    let rows = try await database.rows("SELECT * FROM Event").map { row in
      row.map { $0.replacing("'", with: "") }.joined(separator: "|")
    }
    #expect(guide.contains("'SELECT * FROM Event'\n\(rows.joined(separator: "\n"))\n```"))
  }

  /// The console blocks of a text in which a Core Data model of the samples is named.
  private func storeExamples(_ text: String) -> [[String]] {
    text.split(separator: "```console\n").dropFirst().compactMap { rest in
      let block = rest.components(separatedBy: "\n```")[0]
      guard block.contains("xcdatamodeld") else { return nil }
      return block.components(separatedBy: "\n")
    }
  }

  /// Runs a block in a folder with the samples, and compares what it shows; `…` stands for the rest.
  private func run(_ block: [String], in workspace: Workspace) async throws {
    let tools = Project.tool.deletingLastPathComponent().path
    var lines = block[...]
    while let line = lines.popFirst() {
      try #require(line.hasPrefix("$ "), "\(line)")
      let shown = Array(lines.prefix { !$0.hasPrefix("$ ") })
      lines = lines.dropFirst(shown.count)
      let outcome = try await ChildProcess.run(
        URL(fileURLWithPath: "/bin/sh"),
        ["-c", "PATH=\"\(tools):$PATH\"; { \(line.dropFirst(2))\n} 2>&1"], in: workspace.folder)
      let said = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map(String.init)
      try show(shown, said, line)
    }
  }

  private func show(_ shown: [String], _ said: [String], _ command: String) throws {
    guard let gap = shown.firstIndex(of: "…") else {
      #expect(said == shown, "\(command)")
      return
    }
    let (head, tail) = (shown[..<gap], shown[(gap + 1)...])
    #expect(Array(said.prefix(head.count)) == Array(head), "\(command)")
    #expect(Array(said.suffix(tail.count)) == Array(tail), "\(command)")
  }

  @Test(arguments: ["README.md", "Sources/seed/Seed.docc/Guides/PrefillingCoreData.md"])
  func `the examples of Core Data stores run as they are typed`(file: String) async throws {
    let blocks = storeExamples(try text(of: Project.root.appendingPathComponent(file)))
    try #require(blocks.count >= 2)
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(
      at: workspace.folder.appendingPathComponent("Seeds"), withDestinationURL: Project.seeds)
    for block in blocks { try await run(block, in: workspace) }
  }
}
