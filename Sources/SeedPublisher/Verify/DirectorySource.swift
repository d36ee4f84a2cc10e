package import SeedFiles
internal import SeedStreams

/// A published stream in a directory.
package struct DirectorySource: PublishedSource {
  private let folder: StreamFolder

  /// A stream's folder, or the directory that it was published to.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - stream: The stream's name, if that of the folder has to be found.
  ///   - files: The file system.
  /// - Throws: ``PublishedSourceError``.
  package init(
    _ path: String, stream: String?, files: FileSystem = .live
  ) throws(PublishedSourceError) {
    var folder = StreamFolder(at: path, files: files)
    do throws(FileError) {
      if try files.status(folder.headPath) == nil, let stream {
        let below = StreamFolder(of: stream, in: path, files: files)
        // What is nowhere is missing where it was said to be.
        if try files.status(below.headPath) != nil { folder = below }
      }
    } catch {
      throw PublishedSourceError(.file(error), place: path)
    }
    self.folder = folder
  }

  /// The stream's folder.
  package var path: String { folder.path }

  package var place: String { folder.headPath }

  package func head() throws(PublishedSourceError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try folder.files.contents(of: folder.headPath, limit: StreamHead.byteLimit)
    } catch {
      throw PublishedSourceError(.file(error), place: folder.headPath)
    }
    guard let bytes else { throw PublishedSourceError(.missing, place: folder.headPath) }
    return bytes
  }

  package func size(of sha256: String) throws(PublishedSourceError) -> Int64? {
    let path = folder.objectPath(sha256)
    do throws(FileError) {
      return try folder.files.status(path)?.byteCount
    } catch {
      throw PublishedSourceError(.file(error), place: path)
    }
  }

  package func start(
    of sha256: String, limit: Int
  ) throws(PublishedSourceError) -> [UInt8] {
    let path = folder.objectPath(sha256)
    do throws(FileError) {
      return try folder.files.bytes(of: path, limit: limit)
    } catch {
      throw PublishedSourceError(error.isMissing ? .missing : .file(error), place: path)
    }
  }
}
