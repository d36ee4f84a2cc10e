#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A locked file under a temporary name, registered to be deleted when the process is interrupted.
internal struct TemporaryFile {
  internal let path: String
  internal let descriptor: Int32
  private let files: FileSystem

  /// Numbers the temporary files of this process.
  private static let counter = Lock<UInt32>(0)

  /// The file of an open descriptor.
  internal init(path: String, descriptor: Int32, files: FileSystem) {
    self.path = path
    self.descriptor = descriptor
    self.files = files
  }

  /// Creates a file under a name that nobody uses.
  internal init(
    in directory: String, names: TemporaryName, permissions: UInt16, files: FileSystem
  ) throws(FileError) {
    while true {
      let number = Self.counter.withLock { counter in
        counter &+= 1
        return counter
      }
      let name = names.name(process: getpid(), number: number)
      let path = Destination.join(directory, name)
      do throws(FileError) {
        let descriptor = try files.open(path, .createNew(permissions: permissions))
        self.init(path: path, descriptor: descriptor, files: files)
      } catch {
        // A build in another process namespace may have the same number.
        guard error.code == EEXIST else { throw error }
        continue
      }
      if try lock() { return }
      files.close(descriptor)
    }
  }

  /// Unlinks the file if it still has its temporary name, then lets go of its lock.
  ///
  /// Called when nobody can take an error any more; a file that stays is an orphan, which the next
  /// build of the same destination deletes.
  internal func discard(unlinking: Bool) {
    if unlinking { unlinkWithCompanions() }
    InterruptCleanup.unregister(path)
    files.close(descriptor)
  }

  private func unlinkWithCompanions() {
    for name in [path] + TemporaryName.companions.map({ path + $0 }) {
      do throws(FileError) {
        try files.unlink(name)
      } catch {
        // Most often there is no companion; see above for the rest.
        continue
      }
    }
  }

  /// Takes the lock and registers the file.
  ///
  /// - Returns: Whether the file is ours; false if a sweep came between its creation and the lock,
  ///   took it for an orphan and deletes it.
  /// - Throws: ``FileError``; the file is then gone.
  private func lock() throws(FileError) -> Bool {
    do throws(FileError) {
      guard try tryLock() else { return false }
      let identity = try files.descriptorStatus(descriptor, path).identity
      guard try files.linkStatus(path)?.identity == identity else { return false }
      InterruptCleanup.register(path)
      return true
    } catch {
      discard(unlinking: true)
      throw error
    }
  }

  private func tryLock() throws(FileError) -> Bool {
    do throws(FileError) {
      return try files.tryLock(descriptor, path)
    } catch {
      // Some network file systems have no locks: no sweep can take one there either.
      guard [ENOTSUP, ENOLCK, ENOSYS].contains(error.code) else { throw error }
      return true
    }
  }
}
