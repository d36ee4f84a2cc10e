/// What to do when the destination holds a database already, and the app brings a newer seed.
public enum UpdatePolicy: String, Sendable, Hashable, CaseIterable {
  /// The installed database stays as it is; the outcome says that there is a newer seed.
  case keep
  /// The content is replaced if nothing was written to it since it was installed; else it stays.
  case replaceIfPristine
  /// The rows of the tables that the seed owns become those of the newer seed; all else stays: the
  /// app's own tables, its columns in the seed's tables, and its rows there.
  ///
  /// The seed says what it owns, in `seed.json`. A row that is there is updated where it differs, a
  /// row that the old seed had and the new one lacks is deleted. A copy of the old content is kept.
  case merge
  /// The content is replaced, whatever the app or its user has written; a copy of it is kept.
  ///
  /// What others write until the moment of the replacement is in that copy, and what they write
  /// after it is in the new content; while the one becomes the other they wait.
  case replace
}

/// Whose row stays when a merge finds one of the app's own under a key that the newer seed brings.
///
/// A row is the app's own if no installed seed had its key. One that is in all columns that the seed
/// owns as the seed has it is no case of this.
public enum TakenKeyPolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is merged; the error, ``SeedError/Reason/keysTaken(_:)``, names tables and keys.
  case refuse
  /// The seed's: what the app has written into owned columns of that row is overwritten.
  case seed
  /// The app's: the seed's row is left out, at later merges, too.
  case app
}

/// How thoroughly a copy is checked before it gets its name.
///
/// Every level checks the header, the exact size, the stamp, and what a manifest says of them.
public enum Verification: String, Sendable, Hashable, CaseIterable {
  /// Nothing else.
  case header
  /// The manifest's digest, if there is one, computed from the bytes while they are copied.
  ///
  /// A clone moves no bytes and is not read for this: it shares the blocks of the seed itself,
  /// which an app's signature protects.
  case digestWhileCopying
  /// The manifest's digest, also of a clone, which is read for it.
  ///
  /// A packed seed made by `seed build --compress` has the digest in itself. Where there is none, no
  /// copy is made: the error is ``SeedError/Reason/noDigest``.
  case digest
  /// As ``digest``, and SQLite's `quick_check` and `foreign_key_check`, and the digest over rows
  /// and schema that a seed carries in itself, with or without a manifest.
  case full
}

/// What a power failure right after the call may undo.
public enum Durability: String, Sendable, Hashable, CaseIterable {
  /// Nothing: the database is on the disk. On Apple's systems the drive's cache is flushed.
  case full
  /// The whole installation, as if it had not been; never a part of it. The same as ``full`` on
  /// Linux, cheaper on Apple's systems.
  case barrier
  /// All of it, and worse: an empty or partial file may be left. For tests and caches only.
  case process
}

/// The journal mode of the copy.
public enum JournalMode: String, Sendable, Hashable, CaseIterable {
  /// The one of the seed, which is a rollback journal for those that `seed build` makes.
  case asBuilt
  /// A rollback journal.
  case delete
  /// A write-ahead log, as GRDB's `DatabasePool` and Core Data set it.
  ///
  /// Set before the database has its name, so that no two openers fight over the change.
  case wal
}

/// When a device that is locked by a passcode can read the database; iOS and its relatives only.
///
/// What SQLite puts beside the database gets the class of the folder.
public enum ProtectionClass: String, Sendable, Hashable, CaseIterable {
  /// Only while the device is unlocked.
  case complete
  /// An open file stays readable after locking.
  case completeUnlessOpen
  /// From the first unlocking after a start on.
  case untilFirstUnlock
  /// Always.
  case none
}

/// How an installation goes about it; the defaults are for an app's one database.
public struct InstallOptions: Sendable {
  /// What to do with a newer seed.
  public var policy: UpdatePolicy = .keep
  /// With ``UpdatePolicy/merge``, whose row stays where both have one under a key.
  public var takenKeys: TakenKeyPolicy = .refuse
  /// How thoroughly the copy is checked.
  public var verification: Verification = .digestWhileCopying
  /// What a power failure may undo.
  public var durability: Durability = .full
  /// The journal mode of the copy.
  public var journalMode: JournalMode = .asBuilt
  /// Whether something at the destination that is no usable database is moved aside.
  ///
  /// Without it, it is an error: an empty file, a damaged or truncated database, other data. It
  /// is never deleted; ``InstallOutcome/repaired(from:)`` says where it went.
  public var repair = false
  /// The permission bits of the copy, whatever those of the seed and the process's mask are.
  ///
  /// Without a change its owner alone may read and write it (0600), and so it is with the copy of
  /// what was there before. What SQLite puts beside the database gets the same bits. Folders that
  /// are made have 0700 less the mask, whatever stands here; a folder that is there keeps its own, and
  /// so does a database that is there, whose content alone is replaced or merged.
  public var permissions: UInt16 = 0o600
  /// The protection class of the copy; nil leaves it to the folder.
  public var protection: ProtectionClass?
  /// Whether the copy is left out of backups, on Apple's systems; nil leaves it to the folder.
  public var isExcludedFromBackup: Bool?
  /// How long to wait for another process that installs the same database, or is in the middle of
  /// writing to it.
  public var lockTimeout: Duration = .seconds(30)
  /// Changes the copy before it gets its name; called with the copy's path.
  ///
  /// With ``UpdatePolicy/merge`` it is the copy that rows are taken from. Rows that it adds to tables
  /// of the seed are not the seed's: a later merge keeps them.
  ///
  /// It may open the copy with any SQLite and must have closed it when it returns. It runs once for
  /// each copy, on the thread of the installation: at most once in a call, unless somebody deletes
  /// the lock or the copy meanwhile, whereupon another copy is made.
  public var prepare: (@Sendable (_ path: String) throws -> Void)?
  /// Told how much is done, from 0 to 1, which is reported once and last; on the same thread.
  public var progress: (@Sendable (Double) -> Void)?

  /// The defaults.
  public init() {}

  /// The defaults with a policy.
  public init(policy: UpdatePolicy) {
    self.policy = policy
  }
}
