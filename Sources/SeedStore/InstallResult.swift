/// How a copy was made.
public enum CopyMethod: String, Sendable, Hashable {
  /// A clone of APFS (`clonefile`): no bytes were moved.
  case clone
  /// Shared blocks of XFS or Btrfs (FICLONE): no bytes were moved.
  case reflink
  /// Byte by byte.
  case copied
  /// Unpacked from gzip.
  case decompressed
}

/// How a copy got its name without replacing anything.
public enum PublishMethod: String, Sendable, Hashable {
  /// A rename that fails when the name is taken: one step of the file system.
  case exclusiveRename
  /// A second name that fails when it is taken, and the end of the first one.
  case link
  /// A look, and a rename under the lock: where the file system can do nothing better.
  case lockedRename
}

/// What an installation found and did.
public enum InstallOutcome: Sendable, Hashable {
  /// The destination was absent, the seed is there now.
  case installed(by: CopyMethod)
  /// The installed database has the content of this seed, or of a newer one; nothing was written.
  case alreadyCurrent
  /// Another process was faster; its database stands, and this call's copy is gone.
  case lostRace
  /// The installed database stays, and the seed is a newer one or another one.
  case kept(newerSeed: SeedIdentity)
  /// The installed database has the content of the seed; what it had before is in a copy.
  ///
  /// ``SeedDatabase/rollback(at:lockTimeout:)`` brings it back,
  /// ``SeedDatabase/discardPrevious(at:lockTimeout:)`` deletes it.
  case replaced(backup: String)
  /// The seed's rows in the installed database are those of the newer seed; what it had before is in
  /// a copy.
  ///
  /// ``SeedDatabase/rollback(at:lockTimeout:)`` brings it back,
  /// ``SeedDatabase/discardPrevious(at:lockTimeout:)`` deletes it.
  case merged(MergedRows, backup: String)
  /// Something unusable was moved aside, and the seed is there now.
  case repaired(from: String)
}

/// Why an installed database stays as it is though the seed is a newer one or another one.
public enum KeptReason: Sendable, Hashable {
  /// The policy is ``UpdatePolicy/keep``.
  case policy
  /// The policy is ``UpdatePolicy/replaceIfPristine``, and something was written since.
  case modified
  /// It was made from another seed, or from none if its name is nil.
  ///
  /// Where both are meant to be one seed, give them one `name` in the project file; without it a
  /// seed is named after its first source.
  case otherSeed(installed: SeedIdentity)
}

/// A database that can be opened.
public struct InstallResult: Sendable, Hashable {
  /// The absolute path of the database, without symbolic links in its folder.
  ///
  /// Open it for reading and writing without creating it: a database that is missing then is an
  /// error, and not an empty one.
  public var path: String
  /// What was found and done.
  public var outcome: InstallOutcome
  /// Why it stays as it is; nil unless the outcome is ``InstallOutcome/kept(newerSeed:)``.
  public var keptReason: KeptReason?
  /// How the copy got its name; nil when none was published.
  public var publishMethod: PublishMethod?
  /// What lay beside the absent destination and was moved aside: the `-wal`, `-shm` or `-journal`
  /// of an earlier database, which SQLite would have taken for this one's, and the copy of its
  /// earlier content, to which a rollback would have gone back.
  public var quarantined: [String] = []
  /// Whether the installing processes were kept apart by a lock.
  ///
  /// Some network file systems have none; publishing is safe without it, replacing is not done.
  public var isLocked = true
}
