/// Deletes the temporary files that killed builds of one destination left behind.
///
/// A build holds the lock of its temporary file for its whole life, and the system lets go of the
/// lock when the process dies, so a file whose lock can be taken belongs to nobody.
internal struct OrphanSweep {
  private let directory: String
  private let names: TemporaryName
  private let files: FileSystem

  internal init(directory: String, names: TemporaryName, files: FileSystem) {
    self.directory = directory
    self.names = names
    self.files = files
  }

  /// Deletes what it can; an orphan that stays is no reason to fail a build.
  internal func run() {
    do throws(FileError) {
      for name in try files.names(directory) {
        guard let owner = names.owner(of: name) else { continue }
        sweep(name, of: owner)
      }
    } catch {
      // A directory that may be written but not listed.
      return
    }
  }

  private func sweep(_ name: String, of owner: String) {
    let path = Destination.join(directory, owner)
    // Closing a second descriptor would drop the locks that SQLite holds in this process.
    guard !InterruptCleanup.isRegistered(path) else { return }
    do throws(FileError) {
      guard let status = try files.linkStatus(path) else {
        // A companion whose file is gone: nobody works on it any more.
        try files.unlink(Destination.join(directory, name))
        return
      }
      guard status.kind == .regular else { return }
      let descriptor = try files.open(path, .readNoFollow)
      defer { files.close(descriptor) }
      guard try files.tryLock(descriptor, path) else { return }
      // Between the look and the lock another build may have taken the name; only whoever holds
      // the lock of the file under a name may delete that name.
      let identity = try files.descriptorStatus(descriptor, path).identity
      guard try files.linkStatus(path)?.identity == identity else { return }
      for companion in TemporaryName.companions {
        guard try files.linkStatus(path + companion) != nil else { continue }
        try files.unlink(path + companion)
      }
      try files.unlink(path)
    } catch {
      // Another sweep was faster, or the file is not ours to delete.
      return
    }
  }
}
