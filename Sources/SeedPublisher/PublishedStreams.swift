package import SeedFiles
internal import SeedModel
internal import SeedStreams

/// The streams that were published to a directory.
package enum PublishedStreams {
  /// Their names.
  ///
  /// - Parameters:
  ///   - directory: What `seed publish --to` was given.
  ///   - files: The file system.
  /// - Returns: The names in their order; none where there is no such directory.
  /// - Throws: ``FileError``.
  package static func names(
    in directory: String, files: FileSystem = .live
  ) throws(FileError) -> [String] {
    guard try files.status(directory)?.kind == .directory else { return [] }
    var found: [String] = []
    for name in try files.names(directory) where StreamName.isUsable(name) {
      let head = StreamFolder(of: name, in: directory, files: files).headPath
      // Beside streams may lie files, below which nothing can be.
      guard try files.status(StreamFolder.join(directory, name))?.kind == .directory,
        try files.status(head) != nil
      else { continue }
      found.append(name)
    }
    return found.sorted()
  }
}
