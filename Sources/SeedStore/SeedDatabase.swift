internal import SeedFiles

/// Installs a prebuilt database where an app can write to it, at every launch.
///
/// The first launch copies it; every later one finds it there, reads a few hundred bytes, writes
/// nothing and returns within a millisecond. Whatever happens meanwhile, be it a crash, a power
/// failure, a full disk or another process doing the same, the destination is absent or complete.
///
/// Call it before the database is opened, and open the path that it returns. Safe from several
/// threads and processes at once, those of an app and its extensions: one of them copies, the
/// others wait for it.
public enum SeedDatabase {
  /// Installs a seed, or finds it installed; blocks the calling thread meanwhile.
  ///
  /// - Parameters:
  ///   - seed: The prebuilt database.
  ///   - destination: The path of the database to be. Folders above it are made, for their owner
  ///     alone (0700); those that are there keep their permissions. A symbolic link there is an
  ///     error, links in the folders above are followed.
  ///   - options: How to go about it.
  ///   - cancellation: A way to end it from another thread.
  /// - Returns: The path to open, and what was found and done.
  /// - Throws: ``SeedError``. The destination is then as it was before.
  public static func install(
    _ seed: Seed, at destination: String, options: InstallOptions = InstallOptions(),
    cancellation: InstallCancellation? = nil
  ) throws(SeedError) -> InstallResult {
    try Installation(
      seed: seed, destination: destination, options: options, files: .live,
      databases: .live(on: .live, waiting: options.lockTimeout),
      watch: InstallWatch(cancellation, onProgress: options.progress)
    ).run()
  }

  /// Brings back the content from before the last replacement or merge, and deletes the copy of it.
  ///
  /// Everything written since is lost. Other connections see the old content at their next
  /// transaction. Blocks the calling thread, also for other connections, up to the time allowed.
  /// - Throws: ``SeedError``, with ``SeedError/Reason/nothingToRollBack`` when there was no
  ///   replacement, ``SeedError/Reason/databaseMissing`` when there is no database, and one that
  ///   names the copy when that is damaged; the database is then as it was.
  public static func rollback(
    at destination: String, lockTimeout: Duration = .seconds(30)
  ) throws(SeedError) {
    let isDone = try withLock(destination, lockTimeout) { (update, lock) throws(SeedError) in
      try update.rollBack(lock)
    }
    guard isDone else { throw SeedError(.rollback, destination, .databaseMissing) }
  }

  /// Deletes the copy that the last replacement or merge has kept; without one it does nothing.
  ///
  /// Call it once the app has opened the new content and found it good.
  /// - Throws: ``SeedError``.
  public static func discardPrevious(
    at destination: String, lockTimeout: Duration = .seconds(30)
  ) throws(SeedError) {
    _ = try withLock(destination, lockTimeout) { (update, _) throws(SeedError) in
      try update.discardPrevious()
    }
  }

  /// - Returns: False where there is neither a database nor a copy; nothing is then made, either.
  private static func withLock(
    _ destination: String, _ timeout: Duration,
    _ body: (ContentUpdate, InstallLock) throws(SeedError) -> Void
  ) throws(SeedError) -> Bool {
    let files = FileSystem.live
    var options = InstallOptions()
    options.lockTimeout = timeout
    guard
      let place = try InstallPlace.find(
        destination, makesFolder: false, durability: options.durability, on: files)
    else { return false }
    let update = ContentUpdate(
      place: place, files: files, databases: .live(on: files), options: options,
      watch: InstallWatch(nil, onProgress: nil))
    guard try update.hasSubject() else { return false }
    guard
      let lock = try InstallLock.acquire(
        place, milliseconds: timeout.milliseconds, on: files,
        checkCancellation: { () throws(SeedError) in })
    else {
      throw SeedError(
        .lock, place.lockPath, .lockTimedOut(seconds: Double(timeout.milliseconds) / 1000))
    }
    defer { lock.release() }
    try body(update, lock)
    return true
  }
}
