internal import SeedFiles
internal import SeedFormat
internal import SeedModel

/// What lies under the names of the files that a build writes beside the database.
struct Companions {
  private let options: BuildOptions
  private let files: FileSystem

  init(of options: BuildOptions, files: FileSystem = .live) {
    self.options = options
    self.files = files
  }

  /// Checks that only files are replaced that this tool wrote, or empty ones: the names are made
  /// from the output's, so that nobody was asked for them.
  ///
  /// - Throws: ``PublishError``.
  func check() throws(PublishError) {
    let output = options.output
    if options.compresses {
      // More than the longest extra field.
      try check(ArchiveFile.path(beside: output), limit: 70_000) {
        ArchiveFacts(archive: $0) != nil
      }
    }
    if options.writesManifest {
      try check(BuildManifest.path(beside: output), limit: Self.mostManifestBytes) {
        BuildManifest.isManifest($0)
      }
    }
  }

  /// Those of the widest databases take some kilobytes.
  private static let mostManifestBytes = 16 << 20

  private func check(
    _ path: String, limit: Int, isOurs: ([UInt8]) -> Bool
  ) throws(PublishError) {
    do throws(FileError) {
      guard let status = try files.status(path), status.kind == .regular, status.byteCount > 0
      else { return }
      if isOurs(try files.bytes(of: path, limit: limit)) { return }
    } catch {
      throw PublishError(.cannotCreate(error), path: path)
    }
    throw PublishError(.foreignFile, path: path)
  }
}
