internal import SeedFiles

/// Keeps the publishers of one stream apart: a lock of its folder, which ends with the process.
final class FolderLock {
  private let descriptor: Int32
  private let files: FileSystem

  private init(_ descriptor: Int32, _ files: FileSystem) {
    self.descriptor = descriptor
    self.files = files
  }

  deinit {
    // A child of another thread may have a copy of the descriptor, which would keep the lock.
    files.unlock(descriptor)
    files.close(descriptor)
  }

  /// Waits for the lock.
  ///
  /// - Throws: ``StreamPublishError``, also when others hold the lock for longer.
  static func acquire(
    _ path: String, milliseconds: Int64, files: FileSystem
  ) throws(StreamPublishError) -> FolderLock {
    let descriptor = try StreamPublishError.inFile { () throws(FileError) in
      try files.open(path, .directory)
    }
    // Closed with the lock, however this ends.
    let lock = FolderLock(descriptor, files)
    let deadline = files.now() + milliseconds
    var pause = 1
    while true {
      let isTaken = try StreamPublishError.inFile { () throws(FileError) in
        try files.tryLock(descriptor, path)
      }
      if isTaken { return lock }
      let left = deadline - files.now()
      guard left > 0 else { throw StreamPublishError(.locked, path: path) }
      files.pause(Int(min(Int64(pause), left)))
      pause = min(pause * 2, 100)
    }
  }
}
