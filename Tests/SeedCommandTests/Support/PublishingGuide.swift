import Foundation
import Testing

/// The guide to publishing, which the tests take at its word.
enum PublishingGuide {
  /// The lines of the configuration of nginx that it gives.
  static var nginxDirectives: String {
    get throws {
      let guide = try String(
        contentsOf: Project.root.appendingPathComponent(
          "Sources/seed/Seed.docc/Guides/PublishStreams.md"), encoding: .utf8)
      return String(try #require(guide.firstMatch(of: /```nginx\n((?s).*?)```/)?.output.1))
    }
  }
}
