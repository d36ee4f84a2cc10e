internal import SeedModel

/// How requests name their sender.
internal enum UserAgent {
  internal static let text = "seed/\(ToolVersion.number)"
}
