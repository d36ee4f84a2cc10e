import Foundation
import PackagePlugin

/// Builds the databases that a target's project files describe; they become its resources.
///
/// `default.seed.json` becomes `default.sqlite`, and `seed.json` what its `output` is called. The
/// plugin only lists files: all else is the tool's work.
@main
struct SeedBuildPlugin: BuildToolPlugin {
  /// Makes one command for each project file of the target.
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    return try ProjectCommands(
      files: Array(module.sourceFiles), tool: context.tool(named: "seed").url,
      folder: context.pluginWorkDirectoryURL, target: target.name
    ).commands()
  }
}
