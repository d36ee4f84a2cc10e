package import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// Publishes a database as the newest checkpoint of a stream in a directory.
///
/// Whatever happens on the way, the directory shows the head from before or the new one, and all
/// that they name is there; the same publication can be run again.
package struct StreamPublisher {
  private let options: PublishOptions
  private let files: FileSystem

  /// A publisher.
  ///
  /// - Parameters:
  ///   - options: How databases are published.
  ///   - files: The file system.
  package init(_ options: PublishOptions = PublishOptions(), files: FileSystem = .live) {
    self.options = options
    self.files = files
  }

  /// Publishes a database.
  ///
  /// Its last step writes the position into the database itself, also when nothing has changed.
  ///
  /// - Parameters:
  ///   - path: The database; nobody else writes to it meanwhile.
  ///   - directory: The directory with the streams; it is made if it is missing.
  /// - Returns: The new position, and what was written for it.
  /// - Throws: ``StreamPublishError``.
  package func publish(
    _ path: String, to directory: String
  ) throws(StreamPublishError) -> PublishResult {
    do {
      return try run(path, directory)
    } catch let error as StreamPublishError {
      throw error
    } catch let error as SQLiteError {
      throw StreamPublishError(.database(error), path: path)
    } catch {
      preconditionFailure("publishing throws errors of its own and of SQLite only: \(error)")
    }
  }

  private func run(_ path: String, _ directory: String) throws -> PublishResult {
    let database = try NewDatabase(path: path, stream: options.stream, files: files)
    try Self.checkName(of: database, directory, files)
    let folder = StreamFolder(of: database.stream, in: directory, files: files)
    try folder.makeDirectories(folder.path)
    let lock = try FolderLock.acquire(
      folder.path, milliseconds: options.lockTimeoutMilliseconds, files: files)
    var result = try withExtendedLifetime(lock) {
      let publication = Publication(
        database: database, store: ObjectStore(folder), options: options,
        now: options.time ?? UTCTime.now())
      return try publication.run()
    }
    result.unfilled = try database.unfilledColumns()
    try database.bake(result.position)
    return result
  }

  /// Where other streams are published, one that nobody has named is most likely one of those, and not
  /// another one that no app would ask for.
  private static func checkName(
    of database: NewDatabase, _ directory: String, _ files: FileSystem
  ) throws(StreamPublishError) {
    guard database.isStreamAssumed else { return }
    let streams: [String]
    do throws(FileError) {
      streams = try PublishedStreams.names(in: directory, files: files)
    } catch {
      // What cannot be looked into cannot be published to either, which is said then.
      return
    }
    guard !streams.isEmpty, !streams.contains(database.stream) else { return }
    throw StreamPublishError(.unnamedStream(published: streams), path: directory)
  }
}
