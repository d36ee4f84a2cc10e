internal import SeedFiles

/// Small files that are replaced as a whole.
internal enum SmallFile {
  /// Writes a file under a temporary name and gives it its own in one step.
  ///
  /// - Throws: ``FetchError``; the file is then as it was.
  internal static func write(
    _ bytes: [UInt8], to path: String, replacing replacement: Replacement = .anyFile,
    files: FileSystem
  ) throws(FetchError) {
    do throws(PublishError) {
      let pending = try PendingFile(for: path, replacing: replacement, files: files)
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(PublishError) in try pending.write(buffer) }
      }
      try result.get()
      try pending.publish(isLastStep: false)
    } catch {
      throw FetchError(.unwritable(error), place: path)
    }
  }
}
