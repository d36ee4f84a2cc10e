internal import SeedFiles

/// Keeps the processes and threads apart that install one database.
///
/// A lock of a whole file (`flock`), which belongs to the open descriptor: it ends with the
/// process, however that ends, and closing other descriptors does not touch it. While there is
/// an unfinished copy its name is in the file, so that the next caller sees by the file's size
/// alone that there is something to sweep.
internal struct InstallLock {
  private let path: String
  private let descriptor: Int32
  private let files: FileSystem
  /// Whether the file system has locks.
  internal let isHeld: Bool

  /// Waits for the lock.
  ///
  /// Milliseconds of 0 are one try.
  ///
  /// - Returns: Nil when others hold it for longer.
  /// - Throws: ``SeedError``, also when the installation was cancelled.
  internal static func acquire(
    _ place: InstallPlace, milliseconds: Int64, on files: FileSystem,
    checkCancellation: () throws(SeedError) -> Void
  ) throws(SeedError) -> InstallLock? {
    let deadline = files.now() + milliseconds
    var pause = 1
    while true {
      try checkCancellation()
      if let lock = try attempt(place.lockPath, on: files) { return lock }
      let left = deadline - files.now()
      guard left > 0 else { return nil }
      files.pause(Int(min(Int64(pause), left)))
      pause = min(pause * 2, 25)
    }
  }

  /// One try; nil when the lock is taken, or the file was replaced meanwhile.
  private static func attempt(
    _ path: String, on files: FileSystem
  ) throws(SeedError) -> InstallLock? {
    try SeedError.at(.lock) { () throws(FileError) in
      let descriptor = try files.open(path, .append(permissions: 0o600))
      do throws(FileError) {
        guard try files.tryLock(descriptor, path) else {
          files.close(descriptor)
          return nil
        }
        // Somebody may have deleted the file and locked another one under its name.
        let status = try files.descriptorStatus(descriptor, path)
        guard try files.linkStatus(path)?.identity == status.identity else {
          files.close(descriptor)
          return nil
        }
        try keepUsable(descriptor, path, status, on: files)
        return InstallLock(path: path, descriptor: descriptor, files: files, isHeld: true)
      } catch {
        if error.operation == .flock, error.hasNoLocks {
          return InstallLock(path: path, descriptor: descriptor, files: files, isHeld: false)
        }
        files.close(descriptor)
        throw error
      }
    }
  }

  /// Lets the owner open the file again, which a mask such as 0777 has kept from it.
  private static func keepUsable(
    _ descriptor: Int32, _ path: String, _ status: FileStatus, on files: FileSystem
  ) throws(FileError) {
    guard status.permissions & 0o600 != 0o600 else { return }
    do throws(FileError) {
      try files.setPermissions(descriptor, path, status.permissions | 0o600)
    } catch {
      // Another user's, whose matter it is.
      guard error.isForbidden else { throw error }
    }
  }

  /// Whether a process has died with a copy unfinished, or is working on one.
  internal static func isMarked(_ place: InstallPlace, on files: FileSystem) -> Bool {
    do throws(FileError) {
      return try files.linkStatus(place.lockPath)?.byteCount ?? 0 > 0
    } catch {
      // What cannot be looked at now will be another time.
      return false
    }
  }

  /// Notes that there is an unfinished copy.
  internal func mark(_ name: String) throws(FileError) {
    guard isHeld else { return }
    let bytes = Array(name.utf8)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try files.writeAll(descriptor, path, bytes) }
    }
    try result.get()
  }

  /// Waits until the note is on the disk.
  internal func synchronizeMark() throws(FileError) {
    guard isHeld else { return }
    try files.synchronize(descriptor, path)
  }

  /// Notes that there is none.
  internal func unmark() throws(FileError) {
    guard isHeld else { return }
    try files.truncate(descriptor, path)
  }

  /// Whether it still keeps others out: nobody has deleted its file and locked another one.
  internal var isCurrent: Bool {
    guard isHeld else { return true }
    do throws(FileError) {
      let identity = try files.descriptorStatus(descriptor, path).identity
      return try files.linkStatus(path)?.identity == identity
    } catch {
      // What cannot be looked at is not known to be gone.
      return true
    }
  }

  /// Lets others go on.
  internal func release() {
    if isHeld { files.unlock(descriptor) }
    files.close(descriptor)
  }
}
