#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  extension SeedBuildPlugin: XcodeBuildToolPlugin {
    /// Makes one command for each project file of a target of an Xcode project.
    func createBuildCommands(
      context: XcodePluginContext, target: XcodeTarget
    ) throws -> [Command] {
      try ProjectCommands(
        files: Array(target.inputFiles), tool: context.tool(named: "seed").url,
        folder: context.pluginWorkDirectoryURL, target: target.displayName
      ).commands()
    }
  }
#endif
