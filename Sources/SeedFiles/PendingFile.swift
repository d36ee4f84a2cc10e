/// A new file under a temporary name that takes its final name in one step, or never.
///
/// The temporary file lies in the directory of the destination, so that the last step is a rename,
/// which the file system does as a whole: readers see the old file or the new one. Letting go of
/// a pending file that was not published deletes it; one left by a killed process is deleted by the
/// next build of the same destination. A destination that is a symbolic link is followed: its
/// target is replaced and the link stays.
package struct PendingFile: ~Copyable {
  /// Where the new file is written, as an absolute path.
  ///
  /// Others may open it too. Those that lock it as SQLite does must close it before this value
  /// goes away: closing any descriptor of a file drops such locks of the whole process.
  package let temporaryPath: String
  private let destination: Destination
  private let replacement: Replacement
  private let files: FileSystem
  /// Open for the whole life: it carries the lock that tells a live file from an orphan.
  private let descriptor: Int32
  private var isPublished = false

  /// Creates the temporary file, after checking that the destination may be replaced.
  ///
  /// It gets the permissions of the file it is to replace, at least readable and writable by its
  /// owner until it is published, or those the process gives to new files.
  /// - Throws: ``PublishError``; nothing is then left behind.
  package init(
    for path: String, replacing replacement: Replacement, files: FileSystem = .live
  ) throws(PublishError) {
    let destination = try Destination.resolve(path, on: files)
    try replacement.check(destination, on: files)
    let names = TemporaryName(for: destination.fileName)
    OrphanSweep(directory: destination.directory, names: names, files: files).run()
    do throws(FileError) {
      let temporary = try TemporaryFile(
        in: destination.directory, names: names,
        permissions: destination.status.map { $0.permissions & 0o777 | 0o600 } ?? 0o666,
        files: files)
      temporaryPath = temporary.path
      descriptor = temporary.descriptor
    } catch {
      throw PublishError(.cannotCreate(error), path: path)
    }
    self.destination = destination
    self.replacement = replacement
    self.files = files
  }

  /// Deletes what killed processes left of a file, by its destination, that this one does not write.
  package static func sweep(_ path: String, files: FileSystem = .live) {
    // A destination that cannot be resolved has no temporary files either.
    guard let destination = try? Destination.resolve(path, on: files) else { return }
    OrphanSweep(
      directory: destination.directory, names: TemporaryName(for: destination.fileName),
      files: files
    ).run()
  }

  deinit {
    TemporaryFile(path: temporaryPath, descriptor: descriptor, files: files)
      .discard(unlinking: !isPublished)
  }

  /// Puts the file in place of the destination once its bytes are on the disk.
  ///
  /// Interrupts no longer end the process afterwards if this is the last step: the work is done.
  /// - Precondition: Others that opened the temporary file have closed it.
  /// - Throws: ``PublishError``. The destination is then as it was, except when only the last step
  ///   failed, which makes the new name durable: the new file is then in place.
  package consuming func publish(isLastStep: Bool = true) throws(PublishError) {
    // What was checked at the start may have changed during a long build.
    let current = try destination.refreshed(on: files)
    try replacement.check(current, on: files)
    try place(at: current, isLastStep: isLastStep)
  }

  /// Gives the file another name than the one it was made for, if that is free.
  ///
  /// For a file that is named by its content, which is known when it is complete.
  ///
  /// - Parameter path: The name, in the same file system.
  /// - Precondition: Others that opened the temporary file have closed it.
  /// - Throws: ``PublishError``; nothing then has the name, except when only the last step failed,
  ///   which makes it durable.
  package consuming func publish(as path: String) throws(PublishError) {
    let other = try Destination.resolve(path, on: files)
    try Replacement.nothing.check(other, on: files)
    try place(at: other, isLastStep: false)
  }

  private mutating func place(
    at target: Destination, isLastStep: Bool
  ) throws(PublishError) {
    do throws(FileError) {
      if let permissions = target.status?.permissions {
        try files.setPermissions(descriptor, temporaryPath, permissions)
      }
      try files.synchronize(descriptor, temporaryPath)
      let directory = try files.open(target.directory, .directory)
      defer { files.close(directory) }
      let (files, from, to) = (files, temporaryPath, target.path)
      if isLastStep {
        try InterruptCleanup.commit { () throws(FileError) in try files.rename(from, to) }
      } else {
        try files.rename(from, to)
      }
      isPublished = true
      try files.synchronizeDirectory(directory, target.directory)
    } catch {
      throw PublishError(.cannotPublish(error), path: target.name)
    }
  }

  /// A closure that puts the file's bytes on the disk, to be run on another thread while this one
  /// reads them.
  ///
  /// ``publish()`` then has little left to wait for. The closure throws ``PublishError``: what it
  /// throws must not be passed over, since the system reports a failed write only once.
  ///
  /// - Precondition: The file is neither written nor published before the closure has returned.
  package func flushing() -> @Sendable () throws(PublishError) -> Void {
    let (files, descriptor, path, name) = (files, descriptor, temporaryPath, destination.name)
    return { () throws(PublishError) in
      do throws(FileError) {
        try files.synchronize(descriptor, path)
      } catch {
        throw PublishError(.cannotPublish(error), path: name)
      }
    }
  }

  /// Empties the file, to write it anew.
  ///
  /// - Precondition: Nobody has it open as a database.
  /// - Throws: ``PublishError``.
  package func removeAllBytes() throws(PublishError) {
    do throws(FileError) {
      try files.truncate(descriptor, temporaryPath)
    } catch {
      throw PublishError(.cannotPublish(error), path: destination.name)
    }
  }

  /// Appends bytes to the file.
  ///
  /// - Throws: ``PublishError``; part of the bytes may then be written.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(PublishError) {
    do throws(FileError) {
      try files.writeAll(descriptor, temporaryPath, bytes)
    } catch {
      throw PublishError(.cannotPublish(error), path: destination.name)
    }
  }

  /// The digest and the size in bytes of what the file holds now.
  ///
  /// - Throws: ``PublishError`` when the file cannot be read back.
  package func digest() throws(PublishError) -> (sha256: [UInt8], byteCount: Int64) {
    do throws(FileError) {
      return try files.digest(descriptor, temporaryPath)
    } catch {
      throw PublishError(.cannotPublish(error), path: destination.name)
    }
  }
}
