internal import SeedFiles
internal import SeedSQLite

/// Why a seed was not installed: the step, the file, the reason, and what to do.
///
/// The destination is then as it was before the call, save where ``step`` is
/// ``InstallStep/syncDirectory``: the database is then in place, but a power failure might still
/// undo that; or ``InstallStep/keepPrevious``: the new content may be in place, and the next call
/// gives the copy of the old one its name.
public struct SeedError: Error, Sendable {
  /// What stood in the way.
  public enum Reason: Sendable, Hashable {
    /// The operating system refused a call, with its error number.
    case system(call: String, errno: Int32)
    /// SQLite refused, with its extended result code.
    case database(code: Int32, message: String)
    /// The path is empty, ends in a slash or contains a NUL.
    case notAFileName
    /// The file's name is longer than SQLite can do with, in bytes.
    case nameTooLong(byteCount: Int, limit: Int)
    /// There is no seed at the path.
    case sourceMissing
    /// There is no manifest at the path that was given for it.
    case manifestMissing
    /// Not a file but a folder.
    case isDirectory
    /// A destination that is the file of the seed.
    case isTheSeed
    /// A symbolic link, which is never followed at the destination.
    case isSymbolicLink
    /// A pipe, a socket or a device.
    case notARegularFile
    /// Something other than an SQLite database, and what it looks like.
    case notADatabase(looksLike: String)
    /// A file whose size is not what its header says, in bytes.
    case wrongSize(expected: Int64, found: Int64)
    /// A file format that this version of SQLite does not know.
    case newerFormat(Int)
    /// A write-ahead log or rollback journal beside the seed: part of its content is there.
    case unfinishedLog(String)
    /// A seed that changed while it was copied.
    case sourceChanged
    /// A digest (SHA-256) of the file or of its content that is not the expected one.
    case wrongDigest(expected: String, found: String)
    /// The digest was to be compared, and there is none: no manifest came with the seed.
    case noDigest
    /// A value that is not what the manifest says.
    case manifestMismatch(what: String, expected: String, found: String)
    /// A manifest that cannot be read, and why.
    case unusableManifest(String)
    /// Gzip data that is damaged or followed by something else.
    case damagedArchive(String)
    /// Gzip data of several members, of which more than the first would have to be read.
    case archiveOfSeveralMembers
    /// Gzip data that ends too early: how many bytes could be unpacked, and how many there should
    /// be, where a manifest or the packed seed itself says so.
    case archiveCutOff(unpacked: Int64, expected: Int64?)
    /// A failed check of the copy, in SQLite's words.
    case failedCheck(String)
    /// Too little room on the disk, in bytes.
    case noSpace(needed: Int64, available: Int64)
    /// Another process was installing for longer than the time allowed, in seconds.
    case lockTimedOut(seconds: Double)
    /// The installation was cancelled.
    case cancelled
    /// The preparation threw; ``SeedError/underlying`` is its error.
    case preparationFailed(String)
    /// Files beside the copy, because the preparation left it open.
    case stillOpen(String)
    /// Something at the destination that is no usable database, and why.
    case unusableDestination(String)
    /// The installed database has another text encoding than the seed.
    case encodingDiffers
    /// A seed whose rows cannot be merged into the installed database, and why: a line for each
    /// table, column, index or row that is in the way.
    case mergeRefused([String])
    /// Rows of the app's own have keys that the newer seed brings, by table.
    case keysTaken([TakenRowKeys])
    /// There is no content to bring back.
    case nothingToRollBack
    /// There is no database whose earlier content could be brought back.
    case databaseMissing
    /// There is no database whose content could be replaced; where the earlier content lies.
    case destinationMissing(backup: String)
    /// What is there is no database whose content could be replaced, and why; where the earlier
    /// content lies.
    case destinationUnusable(String, backup: String)
    /// A seed that must be copied before it can be used, and why.
    case notReadableInPlace(String)
  }

  /// Where it stopped.
  public var step: InstallStep
  /// The file concerned.
  public var path: String
  /// What stood in the way.
  public var reason: Reason
  /// The error of the app's own preparation, if that was it.
  public var underlying: (any Error)?
  /// Whether a merge was refused for values that rows do not have in a column that is NOT NULL.
  internal var lacksValues = false

  internal init(
    _ step: InstallStep, _ path: String, _ reason: Reason, underlying: (any Error)? = nil
  ) {
    self.step = step
    self.path = path
    self.reason = reason
    self.underlying = underlying
  }

  internal init(_ step: InstallStep, _ error: FileError) {
    self.init(
      step, error.path, .system(call: error.operation.rawValue, errno: error.code))
  }

  internal init(_ step: InstallStep, _ path: String, _ error: SQLiteError) {
    self.init(step, path, .database(code: error.code, message: error.message))
  }

  /// The system's error number, if the system refused.
  public var errno: Int32? {
    if case .system(_, let number) = reason { number } else { nil }
  }

  /// Runs calls of the system that belong to a step.
  internal static func at<Value>(
    _ step: InstallStep, _ body: () throws(FileError) -> Value
  ) throws(SeedError) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw SeedError(step, error)
    }
  }

  /// Runs calls of SQLite that belong to a step.
  internal static func at<Value>(
    _ step: InstallStep, database path: String, _ body: () throws(SQLiteError) -> Value
  ) throws(SeedError) -> Value {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw SeedError(step, path, error)
    }
  }
}

/// Keys that rows of the app's own have in one table, and that a newer seed brings.
public struct TakenRowKeys: Sendable, Hashable {
  /// The table.
  public var table: String
  /// The first ten of them as SQL writes them, those of several columns with commas between.
  public var keys: [String]
  /// How many there are in all.
  public var count: Int64

  /// The keys of a table.
  public init(table: String, keys: [String], count: Int64) {
    self.table = table
    self.keys = keys
    self.count = count
  }
}

extension SeedError {
  /// The error for a seed that is not where it is looked for.
  public static func missing(_ path: String) -> SeedError {
    SeedError(.checkSource, path, .sourceMissing)
  }
}
