import Foundation
import Testing

@testable import SeedCommand

/// Compares every help text with the file kept of it.
///
/// After a wanted change, run the tests with `SEED_UPDATE_GOLDEN=1` in the environment: they then
/// write the files anew instead of comparing. Review the difference before committing it.
@Suite struct HelpTextTests {
  private static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden")

  static let pages: [(name: String, text: String)] =
    [("seed", HelpText.overview(of: CommandLineTool.specifications))]
    + CommandLineTool.specifications.map { ("seed-\($0.name)", HelpText.help(for: $0)) }

  @Test(arguments: pages.map(\.name))
  func `the help is the one kept in its file`(name: String) throws {
    let text = try #require(Self.pages.first { $0.name == name }?.text)
    let file = Self.directory.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["SEED_UPDATE_GOLDEN"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8))
  }

  @Test func `no file is kept of a command that is gone`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path)
    #expect(Set(files) == Set(Self.pages.map { "\($0.name).txt" }))
  }

  @Test(arguments: pages.map(\.text))
  func `the help fits in 80 columns and has no trailing spaces`(text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(line.count <= 80)
      #expect(line.last != " ")
    }
  }

  @Test func `options stand under their headings, those of no heading last`() {
    let specification = CommandSpecification(
      name: "x", summary: "Do it.",
      options: [OptionSpecification("a", help: "A.")]
        + [OptionSpecification("b", help: "B.")].under("Later")
        + [OptionSpecification("c", help: "C.")].under("First")
        + [OptionSpecification("d", help: "D.")].under("Later"))
    let words = HelpText.help(for: specification).split(separator: "\n").compactMap {
      $0.split(separator: " ").first
    }
    #expect(words.suffix(8) == ["Later:", "--b", "--d", "First:", "--c", "Options:", "--a", "-h,"])
  }

  @Test(arguments: CommandLineTool.specifications.map(\.name))
  func `help, --help and -h show the same`(name: String) {
    let runs = [["help", name], [name, "--help"], [name, "-h"], [name, "x", "y", "--help"]]
    let outputs = runs.map { arguments in
      let capture = CapturedConsole()
      #expect(CommandLineTool.run(arguments, on: capture.console) == .success)
      #expect(capture.error.isEmpty)
      return capture.output
    }
    #expect(Set(outputs).count == 1)
  }
}
