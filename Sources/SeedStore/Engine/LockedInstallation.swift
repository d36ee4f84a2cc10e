internal import SeedFiles
internal import SeedFormat
internal import SeedMerge
internal import SeedSQLite

/// The part of an installation that writes, while the lock is held.
internal struct LockedInstallation {
  private let call: Installation
  private let place: InstallPlace
  private let lock: InstallLock

  private var files: FileSystem { call.files }
  private var options: InstallOptions { call.options }

  internal init(_ call: Installation, _ place: InstallPlace, _ lock: InstallLock) {
    self.call = call
    self.place = place
    self.lock = lock
  }

  internal func run() throws(SeedError) -> InstallResult {
    // Others may have installed while this one waited.
    let state = try DestinationState.look(at: place, on: files, call.databases)
    try tidy()
    let source = try SeedSource.look(at: call.seed, on: files, call.databases)
    let decision = try call.decision(source, state, place)
    switch decision {
    case .settled(let outcome, let reason): return result(outcome, keptReason: reason)
    case .install: return try publishCopy(of: source, repairing: false)
    case .repair: return try publishCopy(of: source, repairing: true)
    case .replace, .merge, .examine: return try update(by: source, state, decision)
    }
  }

  private func result(
    _ outcome: InstallOutcome, _ method: PublishMethod? = nil, quarantined: [String] = [],
    keptReason: KeptReason? = nil
  ) -> InstallResult {
    InstallResult(
      path: place.path, outcome: outcome, keptReason: keptReason, publishMethod: method,
      quarantined: quarantined, isLocked: lock.isHeld)
  }

  /// Deletes unfinished copies: whoever made one held this lock, so they are dead.
  ///
  /// The copy of old content that one has left before it could name it is named, or deleted.
  ///
  /// One that had died before the name of its database was on the disk is finished, too. Without a
  /// lock others may be at work, so nothing is done.
  internal func tidy() throws(SeedError) {
    guard lock.isHeld else { return }
    try previous.settle()
    try SeedError.at(.sweep) { () throws(FileError) in try sweep() }
  }

  private var previous: PreviousContent {
    PreviousContent(place: place, files: files, databases: call.databases, options: options)
  }

  private func sweep() throws(FileError) {
    let isMarked = InstallLock.isMarked(place, on: files)
    var hasSwept = false
    for name in try files.names(place.directory) where name.hasPrefix(place.stagingPrefix) {
      do throws(FileError) {
        try files.unlink(InstallPlace.join(place.directory, name))
      } catch {
        // A caller that found another lock file was faster.
        guard error.isMissing else { throw error }
      }
      hasSwept = true
    }
    guard isMarked || hasSwept else { return }
    if options.durability != .process {
      try InstallPlace.synchronize(place.directory, on: files)
    }
    try lock.unmark()
  }

  // MARK: A new database

  private func publishCopy(
    of source: SeedSource, repairing: Bool
  ) throws(SeedError) -> InstallResult {
    let copy = try stage(source, sealing: sealing(pageSize: nil))
    var isFinished = true
    defer { finish(copy, isFinished: isFinished) }
    try SeedError.at(.syncFile) { () throws(FileError) in
      try copy.synchronize(options.durability)
    }
    try call.watch.check(.publish, place.path)
    let aside = MovingAside(place: place, files: files, durability: options.durability)
    let damaged = repairing ? try aside.moveDatabase() : nil
    let orphans = try aside.moveOrphans()
    copy.close()
    // From here to the end of the next step the note must stay: whoever finds the database after
    // this process has died has to see that its name may not be on the disk.
    isFinished = false
    let method = try Publication(place: place, files: files, lock: lock).run(copy)
    try synchronizeDirectory()
    isFinished = true
    guard let method else { return result(.lostRace, quarantined: orphans) }
    let outcome =
      damaged.map { InstallOutcome.repaired(from: $0) } ?? .installed(by: copy.method)
    return result(outcome, method, quarantined: orphans)
  }

  private func synchronizeDirectory() throws(SeedError) {
    guard options.durability != .process else { return }
    try SeedError.at(.syncDirectory) { () throws(FileError) in
      try InstallPlace.synchronize(place.directory, on: files)
    }
  }

  /// Deletes the temporary name if it is still there, and the note of it once all is done.
  ///
  /// A note that stays makes the next caller sweep.
  private func finish(_ copy: StagedCopy, isFinished: Bool = true) {
    guard copy.remove(), isFinished else { return }
    do throws(FileError) { try lock.unmark() } catch { return }
  }

  private func sealing(pageSize: Int?) -> DatabaseAccess.Sealing {
    DatabaseAccess.Sealing(
      identifier: InstallRecord.newIdentifier(), journalMode: options.journalMode,
      pageSize: pageSize)
  }

  /// Makes a complete and checked copy under a temporary name.
  ///
  /// - Parameters:
  ///   - source: The seed.
  ///   - sealing: What makes it an installed database; nil for a copy that is only read.
  /// - Returns: The copy.
  /// - Throws: ``SeedError``.
  private func stage(
    _ source: SeedSource, sealing: DatabaseAccess.Sealing?
  ) throws(SeedError) -> StagedCopy {
    let manifest = try SeedManifest.load(for: call.seed, on: files)
    let expectation = try source.check(manifest, on: files)
    if options.verification == .digest, expectation.sha256 == nil {
      throw SeedError(.checkSource, source.path, .noDigest)
    }
    let path = place.newStagingPath()
    try SeedError.at(.stage) { () throws(FileError) in try lock.mark(path) }
    let copy = try Copying(
      source: source, expectation: expectation, options: options, place: place, files: files,
      watch: call.watch
    ).run(to: path)
    do throws(SeedError) {
      try validate(copy, source, expectation)
      try SeedError.at(.stage) { () throws(FileError) in try copy.setAttributes(options) }
      // Before the app can add rows, which are its own.
      try SeedError.at(.prepare, database: copy.path) { () throws(SQLiteError) in
        try call.databases.noteBase(copy.path)
      }
      try prepare(copy)
      try SeedError.at(.prepare, database: copy.path) { () throws(SQLiteError) in
        if let sealing { try call.databases.seal(copy.path, sealing) }
      }
      try checkClosed(copy)
      return copy
    } catch {
      finish(copy)
      throw error
    }
  }

  /// Checks the copy as it was made, before anybody opens it for writing.
  private func validate(
    _ copy: StagedCopy, _ source: SeedSource, _ expectation: SeedSource.Expectation
  ) throws(SeedError) {
    let (byteCount, start) = try SeedError.at(.validate) { () throws(FileError) in
      (try copy.byteCount(), try copy.start(byteCount: DatabaseFacts.startByteCount))
    }
    guard let header = DatabaseHeader(start) else {
      throw SeedError(
        .validate, source.path, .notADatabase(looksLike: FileSignature(start).name))
    }
    try SeedSource.check(header, byteCount: byteCount, of: source.path, .validate)
    let facts = try SeedError.at(.validate, database: source.path) { () throws(SQLiteError) in
      try call.databases.readUnused(copy.path)
    }
    try SeedSource.check(facts.identity, expectation.manifest, of: source.path, .validate)
    guard source.isCompressed || facts.identity == source.identity else {
      throw SeedError(.validate, source.path, .sourceChanged)
    }
    guard options.verification == .full else { return }
    let finding = try SeedError.at(.validate, database: source.path) { () throws(SQLiteError) in
      try call.databases.finding(copy.path)
    }
    if let finding { throw SeedError(.validate, source.path, .failedCheck(finding)) }
  }

  private func prepare(_ copy: StagedCopy) throws(SeedError) {
    guard let prepare = options.prepare else { return }
    try call.watch.check(.prepare, place.path)
    do {
      try prepare(copy.path)
    } catch {
      throw SeedError(
        .prepare, copy.path, .preparationFailed("\(error)"), underlying: error)
    }
    try checkClosed(copy)
  }

  private func checkClosed(_ copy: StagedCopy) throws(SeedError) {
    for sibling in InstallPlace.siblings {
      let status = try SeedError.at(.prepare) { () throws(FileError) in
        try files.linkStatus(copy.path + sibling)
      }
      if status != nil {
        throw SeedError(.prepare, copy.path, .stillOpen(copy.path + sibling))
      }
    }
  }

  // MARK: New content

  /// Makes a copy of the seed, and takes from it what the installed database is to get.
  private func update(
    by source: SeedSource, _ state: DestinationState, _ decision: Installation.Decision
  ) throws(SeedError) -> InstallResult {
    guard lock.isHeld else {
      throw SeedError(.lock, place.lockPath, .system(call: "flock", errno: FileError.noLocks))
    }
    let copy = try stage(
      source, sealing: decision == .merge ? nil : sealing(pageSize: try livePageSize()))
    defer { finish(copy, isFinished: !previous.isPending) }
    copy.close()
    guard decision == .examine else { return try update(by: source, decision, from: copy) }
    var known = source
    known.isExamined = true
    known.identity = try SeedError.at(.validate, database: source.path) {
      () throws(SQLiteError) in try call.databases.readUnused(copy.path).identity
    }
    let next = try call.decision(known, state, place)
    guard next == .examine else { return try update(by: known, next, from: copy) }
    // Neither the seed nor its stamp tells; what the two hold does.
    let isSame = try SeedError.at(.probe, database: place.path) { () throws(SQLiteError) in
      try call.databases.digest(copy.path) == call.databases.digest(place.path)
    }
    if isSame { return result(.alreadyCurrent) }
    return try update(by: known, .replace(onlyIfPristine: false), from: copy)
  }

  private func update(
    by source: SeedSource, _ decision: Installation.Decision, from copy: StagedCopy
  ) throws(SeedError) -> InstallResult {
    let update = ContentUpdate(
      place: place, files: files, databases: call.databases, options: options,
      watch: call.watch)
    switch decision {
    case .settled(let outcome, let reason): return result(outcome, keptReason: reason)
    case .replace(let onlyIfPristine):
      return try replace(by: source, update, from: copy, onlyIfPristine: onlyIfPristine)
    case .merge: return try merge(update, from: copy)
    case .install, .repair, .examine: preconditionFailure("there is nothing to update")
    }
  }

  private func replace(
    by source: SeedSource, _ update: ContentUpdate, from copy: StagedCopy, onlyIfPristine: Bool
  ) throws(SeedError) -> InstallResult {
    switch try update.run(from: copy.path, onlyIfPristine: onlyIfPristine) {
    case .replaced: return result(.replaced(backup: place.previousPath))
    case .modified: return result(.kept(newerSeed: source.identity), keptReason: .modified)
    case .encodingDiffers: throw SeedError(.replace, place.path, .encodingDiffers)
    }
  }

  private func merge(
    _ update: ContentUpdate, from copy: StagedCopy
  ) throws(SeedError) -> InstallResult {
    switch try update.merge(from: copy.path) {
    case .merged(let rows): return result(.merged(rows, backup: place.previousPath))
    case .notNewer: return result(.alreadyCurrent)
    case .refused(let lines, let lack):
      var error = SeedError(.merge, place.path, .mergeRefused(lines))
      error.lacksValues = lack == .values
      throw error
    case .keysTaken(let tables):
      throw SeedError(
        .merge, place.path,
        .keysTaken(tables.map { TakenRowKeys(table: $0.table, keys: $0.keys, count: $0.count) }))
    case .encodingDiffers: throw SeedError(.merge, place.path, .encodingDiffers)
    }
  }

  private func livePageSize() throws(SeedError) -> Int? {
    let reading = try SeedError.at(.probe, database: place.path) { () throws(SQLiteError) in
      try call.databases.readLive(place.path)
    }
    guard case .database(let facts) = reading else { return nil }
    return facts.header?.pageSize
  }
}
