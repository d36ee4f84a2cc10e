extension Project {
  /// The folder that holds the project file; empty for the current one.
  package var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path of the project file as this process has to open it: relative to the file's folder.
  package func resolved(_ path: String) -> String {
    let folder = folder
    if folder.isEmpty || path.hasPrefix("/") { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
