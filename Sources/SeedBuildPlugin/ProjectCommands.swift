import Foundation
import PackagePlugin

/// The commands for the project files of one target.
struct ProjectCommands {
  /// The target's files.
  let files: [File]
  /// The tool.
  let tool: URL
  /// Where the databases go.
  let folder: URL
  /// The target's name.
  let target: String

  /// One command a project file, in the order of their paths.
  ///
  /// - Throws: ``Failure`` when there is no project file, or when two would make the same database.
  func commands() throws -> [Command] {
    let projects = files.map(\.url).filter { ProjectCommands.isProject($0) }
      .sorted { $0.path < $1.path }
    if projects.isEmpty { throw Failure.noProject(target: target) }
    var owners: [String: URL] = [:]
    return try projects.map { project in
      let description = ProjectDescription(of: project)
      let name = description.databaseName
      // The file systems of Apple's machines do not tell case apart.
      if let other = owners.updateValue(project, forKey: name.lowercased()) {
        throw Failure.sameDatabase(name, other.path, project.path)
      }
      let output = folder.appendingPathComponent(name)
      return .buildCommand(
        displayName: "Building \(name) from \(project.lastPathComponent)", executable: tool,
        arguments: ["build", "--config", project.path, "--output", output.path, "--quiet"],
        inputFiles: inputs(of: project, description), outputFiles: [output])
    }
  }

  /// Whether a file is a project file: `seed.json` or `<name>.seed.json`.
  private static func isProject(_ url: URL) -> Bool {
    url.lastPathComponent == "seed.json" || url.lastPathComponent.hasSuffix(".seed.json")
  }

  /// The files that a database is made from: those that the project names, and those beside it that
  /// nothing else in the target takes, so that none of them is reported as unhandled.
  private func inputs(of project: URL, _ description: ProjectDescription) -> [URL] {
    let folder = project.deletingLastPathComponent().path + "/"
    let beside = files.filter { $0.type == .unknown && $0.url.path.hasPrefix(folder) }.map(\.url)
    // One that is missing is no input: the tool says where the project names it.
    let named = description.files.filter { FileManager.default.fileExists(atPath: $0.path) }
    var seen: Set<String> = []
    return ([project] + named + beside).filter { seen.insert($0.standardizedFileURL.path).inserted }
  }
}
