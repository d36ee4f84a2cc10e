#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A refusal by the operating system: what was asked, of which file, and the error number.
package struct FileError: Error, Sendable, Equatable {
  /// The calls that can fail, named as the system names them.
  package enum Operation: String, Sendable {
    case open, close, read, write, fsync, rename, unlink, stat, lstat, readlink, realpath
    case flock, fcntl, fchmod, ftruncate, mkdir, link, statvfs
    case clone, copyRange = "copy_file_range"
    case renameExclusively = "rename without replacing"
    case setAttributes = "set attributes"
    case readDirectory = "read directory"
  }

  /// What was asked.
  package var operation: Operation
  /// The file concerned, as it was named.
  package var path: String
  /// The system's error number, such as `ENOSPC`.
  package var code: Int32

  /// An error as the system reported it.
  package init(_ operation: Operation, _ path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// An error about a file where a directory is needed.
  package static func notADirectory(_ path: String) -> FileError {
    FileError(.open, path, code: ENOTDIR)
  }

  /// The number for a file that another process holds.
  package static let busy = EBUSY
  /// The number for a device that fails.
  package static let inputOutput = EIO
  /// The number for a name that is not there.
  package static let missing = ENOENT
  /// The number for locks that the file system does not have.
  package static let noLocks = ENOLCK
  /// The number for what the file system cannot do.
  package static let unsupported = ENOTSUP
  /// The number for a name that is taken.
  package static let exists = EEXIST

  /// Whether there is no such file, or a part of its path is not a directory.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether the name is taken.
  package var isTaken: Bool { code == EEXIST }
  /// Whether this file system, or the system itself, cannot do what was asked.
  package var isUnsupported: Bool {
    [ENOSYS, ENOTSUP, EOPNOTSUPP, EINVAL, EXDEV, ENOTTY, EPERM, EMLINK, EDEADLK].contains(code)
  }
  /// Whether the file system has no locks, as some on networks.
  package var hasNoLocks: Bool { [ENOTSUP, EOPNOTSUPP, ENOLCK, ENOSYS].contains(code) }
  /// Whether there is no room: a full disk, a quota or a limit on the size of files.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
  /// Whether the user may not do this.
  package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }
}
