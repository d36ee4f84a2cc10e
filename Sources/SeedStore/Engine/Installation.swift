internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// One call of `install`, from the look at the destination to the database that can be opened.
internal struct Installation {
  internal let seed: Seed
  internal let destination: String
  internal let options: InstallOptions
  internal let files: FileSystem
  internal let databases: DatabaseAccess
  internal let watch: InstallWatch
  /// Chooses how long to wait, of a range of milliseconds.
  internal var chance: @Sendable (ClosedRange<Int64>) -> Int64 = { .random(in: $0) }

  /// A staged copy that vanishes under a caller is made anew at least so often; while its lock is
  /// lost again and again, until the time allowed for waiting is over.
  private static let attemptLimit = 3

  /// - Throws: ``SeedError``.
  internal func run() throws(SeedError) -> InstallResult {
    let result = try install()
    watch.reportEnd()
    return result
  }

  private func install() throws(SeedError) -> InstallResult {
    if let result = try settled() { return result }
    // Before anything is made: what is not there leaves no folder and no lock file.
    _ = try SeedSource.look(at: seed, on: files, databases)
    _ = try SeedManifest.load(for: seed, on: files)
    guard
      let place = try InstallPlace.find(
        destination, makesFolder: true, durability: options.durability, on: files)
    else { throw SeedError(.resolve, destination, .notAFileName) }
    let deadline = files.now() + options.lockTimeout.milliseconds
    var attempt = 1
    while true {
      stepBack(attempt, until: deadline)
      let lock = try acquireLock(of: place, until: deadline)
      defer { lock.release() }
      do throws(SeedError) {
        return try LockedInstallation(self, place, lock).run()
      } catch {
        // Whoever deletes the lock file lets another caller in, who takes this one's copy for that
        // of a dead one and deletes it. Then it is this one that has to wait.
        let isLost = !lock.isCurrent
        let mayRepeat = attempt < Self.attemptLimit || isLost && files.now() < deadline
        guard mayRepeat, isLost || error.isVanishedCopy, error.reason != .cancelled else {
          throw error
        }
        attempt += 1
      }
    }
  }

  /// Waits by chance before a repetition, twice as long each time.
  ///
  /// Callers whose lock files are deleted all the time delete one another's copies. If all of them
  /// began anew at once none would ever be finished; so, soon one is alone for long enough.
  private func stepBack(_ attempt: Int, until deadline: Int64) {
    guard attempt > 1 else { return }
    let longest = min(Int64(4) << min(attempt, 9), deadline - files.now())
    guard longest > 0 else { return }
    files.pause(Int(chance(0...longest)))
  }

  private func acquireLock(
    of place: InstallPlace, until deadline: Int64
  ) throws(SeedError) -> InstallLock {
    let lock = try InstallLock.acquire(
      place, milliseconds: max(deadline - files.now(), 0), on: files,
      checkCancellation: { () throws(SeedError) in try watch.check(.lock, place.path) })
    if let lock { return lock }
    let seconds = Double(options.lockTimeout.milliseconds) / 1000
    throw SeedError(.lock, place.lockPath, .lockTimedOut(seconds: seconds))
  }

  /// What there is to say without writing anything; nil if there is something to do.
  private func settled() throws(SeedError) -> InstallResult? {
    guard
      let place = try InstallPlace.find(
        destination, makesFolder: false, durability: options.durability, on: files)
    else { return nil }
    let state = try DestinationState.look(at: place, on: files, databases)
    guard state != .absent else { return nil }
    let source = try SeedSource.look(at: seed, on: files, databases)
    try checkDistinct(source, place)
    guard case .settled(let outcome, let reason) = try decision(source, state, place) else {
      return nil
    }
    if InstallLock.isMarked(place, on: files) { try tidy(place) }
    return InstallResult(path: place.path, outcome: outcome, keptReason: reason)
  }

  /// A destination that is the seed itself, by a path or a second name, would have the app write
  /// to it.
  private func checkDistinct(
    _ source: SeedSource, _ place: InstallPlace
  ) throws(SeedError) {
    let status = try SeedError.at(.probe) { () throws(FileError) in
      try files.linkStatus(place.path)
    }
    guard status?.identity != source.status.identity else {
      throw SeedError(.probe, place.path, .isTheSeed)
    }
  }

  /// Finishes what another call has begun: it may have died with a copy unfinished, or before the
  /// name of the database was on the disk.
  ///
  /// Waits for one that is still at work. The database is there already, so one that takes too
  /// long is no error.
  private func tidy(_ place: InstallPlace) throws(SeedError) {
    let lock = try InstallLock.acquire(
      place, milliseconds: options.lockTimeout.milliseconds, on: files,
      checkCancellation: { () throws(SeedError) in try watch.check(.lock, place.path) })
    guard let lock else { return }
    defer { lock.release() }
    try LockedInstallation(self, place, lock).tidy()
  }

  /// What is to be done.
  internal enum Decision: Equatable {
    /// Nothing, and why not, where a seed is kept out.
    case settled(InstallOutcome, KeptReason? = nil)
    /// The destination is absent.
    case install
    /// Something unusable is to be moved aside first.
    case repair
    /// The content is to be replaced, perhaps only if nobody has written to it.
    case replace(onlyIfPristine: Bool)
    /// The seed's rows are to be merged into it.
    case merge
    /// A copy is to be made first: the file does not say which seed it is.
    case examine
  }

  /// What is to be done about a destination in a state.
  internal func decision(
    _ source: SeedSource, _ state: DestinationState, _ place: InstallPlace
  ) throws(SeedError) -> Decision {
    switch state {
    case .absent: return .install
    case .unusable(let why):
      if options.repair { return .repair }
      throw SeedError(.probe, place.path, .unusableDestination(why))
    case .unknownFormat(let number):
      if options.repair { return .repair }
      throw SeedError(.probe, place.path, .newerFormat(number))
    case .database(let installed):
      let relation = SeedRelation(of: source.identity, to: installed)
      if isUnknown(source, relation) { return .examine }
      // Left packed, one that another tool has packed is not known to be another one.
      if options.policy == .keep, source.isUndisclosed { return .settled(.alreadyCurrent) }
      let kept = InstallOutcome.kept(newerSeed: source.identity)
      switch (relation, options.policy) {
      case (.same, _), (.older, _): return .settled(.alreadyCurrent)
      case (_, .keep): return .settled(kept, .policy)
      case (.unrelated, .replaceIfPristine), (.unrelated, .merge):
        return .settled(kept, .otherSeed(installed: installed))
      case (.newer, .merge): return .merge
      case (.newer, .replaceIfPristine): return .replace(onlyIfPristine: true)
      case (_, .replace): return .replace(onlyIfPristine: false)
      }
    }
  }
}

extension Installation {
  /// Whether the policy asks for more than the seed's file says of itself.
  ///
  /// What another tool has packed is unpacked, unless a manifest says that it is the one installed.
  /// Where any content is to be replaced, one without a stamp is compared as a whole.
  private func isUnknown(_ source: SeedSource, _ relation: SeedRelation) -> Bool {
    guard source.identity.name == nil, options.policy != .keep else { return false }
    let isKnown = relation == .same && source.identity.contentSHA256 != nil
    let isPacked = source.isCompressed && !source.isExamined
    return !isKnown && (isPacked || options.policy == .replace)
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  internal var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return max(seconds, 0) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
  }
}

extension SeedError {
  /// Whether the copy was deleted before it got its name, as by a caller on another machine.
  fileprivate var isVanishedCopy: Bool {
    guard step == .publish, case .system(_, let number) = reason else { return false }
    return number == FileError.missing
  }
}
