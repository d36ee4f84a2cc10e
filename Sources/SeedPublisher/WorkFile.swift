internal import SeedFiles

/// A file with a name for the time of a publication, such as a database that SQLite has to open.
///
/// It goes with this value, or with the next publication if the process is killed.
final class WorkFile {
  /// Where the file lies.
  let path: String
  private let file: PendingFile
  private let name: String

  init(for name: String, files: FileSystem) throws(StreamPublishError) {
    do throws(PublishError) {
      let file = try PendingFile(for: name, replacing: .anyFile, files: files)
      path = file.temporaryPath
      self.file = consume file
    } catch {
      throw StreamPublishError(.publish(error), path: name)
    }
    self.name = name
  }

  /// Adds bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(StreamPublishError) {
    do throws(PublishError) {
      try file.write(bytes)
    } catch {
      throw StreamPublishError(.publish(error), path: name)
    }
  }
}
