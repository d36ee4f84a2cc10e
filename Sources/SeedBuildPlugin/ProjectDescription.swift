import Foundation

/// As much of a project file as the plugin has to know.
///
/// A file that is wrong says nothing here; the tool then says what is wrong with it.
struct ProjectDescription {
  private let project: URL
  private let members: [String: Any]

  /// Reads a project file.
  init(of project: URL) {
    self.project = project
    // Foundation's reader takes no byte order mark.
    let bytes = (try? Data(contentsOf: project)) ?? Data()
    let mark = Data([0xEF, 0xBB, 0xBF])
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
    members = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any] ?? [:]
  }

  /// What the database is called.
  var databaseName: String {
    let name = project.lastPathComponent
    if name != "seed.json" { return name.dropLast(".seed.json".count) + ".sqlite" }
    let output = (members["output"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent }
    return output ?? "default.sqlite"
  }

  /// The files that it names.
  var files: [URL] {
    let sources = members["sources"] as? [Any] ?? []
    let paths = sources.map { ($0 as? [String: Any])?["file"] } + [members["schema"]]
    let folder = project.deletingLastPathComponent()
    return paths.compactMap { $0 as? String }.map { URL(fileURLWithPath: $0, relativeTo: folder) }
      .map(\.absoluteURL)
  }
}
