import Foundation
package import SeedFiles

/// A file system in which the operation of a given number fails, to sweep through all of them.
///
/// `@unchecked` is safe: the counter is guarded by the lock.
package final class FaultyFiles: @unchecked Sendable {
  /// What fails once the number is reached.
  package enum Extent: Sendable, CaseIterable {
    /// That operation alone.
    case one
    /// That operation and all after it, as on a disk that is gone.
    case allAfter
  }

  private let failing: Int
  private let extent: Extent
  private let code: Int32
  private let lock = NSLock()
  private var count = 0

  /// Counts operations from 1 and fails one with an error number.
  package init(failing: Int, _ extent: Extent = .one, code: Int32 = EIO) {
    self.failing = failing
    self.extent = extent
    self.code = code
  }

  /// Whether the faulty operation was reached.
  package var isReached: Bool { lock.withLock { count >= failing } }

  private func check(_ operation: FileError.Operation, _ path: String) throws(FileError) {
    let isFaulty = lock.withLock {
      count += 1
      return extent == .one ? count == failing : count >= failing
    }
    if isFaulty { throw FileError(operation, path, code: code) }
  }

  /// The real file system with the fault.
  package var files: FileSystem {
    let live = FileSystem.live
    var files = live
    files.open = { (path, mode) throws(FileError) in
      try self.check(.open, path)
      return try live.open(path, mode)
    }
    files.read = { (descriptor, path, buffer) throws(FileError) in
      try self.check(.read, path)
      return try live.read(descriptor, path, buffer)
    }
    files.readAt = { (descriptor, path, buffer, offset) throws(FileError) in
      try self.check(.read, path)
      return try live.readAt(descriptor, path, buffer, offset)
    }
    files.write = { (descriptor, path, bytes) throws(FileError) in
      try self.check(.write, path)
      return try live.write(descriptor, path, bytes)
    }
    files.synchronize = { (descriptor, path) throws(FileError) in
      try self.check(.fsync, path)
      try live.synchronize(descriptor, path)
    }
    files.synchronizeDirectory = { (descriptor, path) throws(FileError) in
      try self.check(.fsync, path)
      try live.synchronizeDirectory(descriptor, path)
    }
    files.rename = { (from, to) throws(FileError) in
      try self.check(.rename, to)
      try live.rename(from, to)
    }
    files.unlink = { (path) throws(FileError) in
      try self.check(.unlink, path)
      try live.unlink(path)
    }
    files.makeDirectory = { (path, permissions) throws(FileError) in
      try self.check(.mkdir, path)
      try live.makeDirectory(path, permissions)
    }
    files.status = { (path) throws(FileError) in
      try self.check(.stat, path)
      return try live.status(path)
    }
    files.linkStatus = { (path) throws(FileError) in
      try self.check(.lstat, path)
      return try live.linkStatus(path)
    }
    files.descriptorStatus = { (descriptor, path) throws(FileError) in
      try self.check(.stat, path)
      return try live.descriptorStatus(descriptor, path)
    }
    files.setPermissions = { (descriptor, path, permissions) throws(FileError) in
      try self.check(.fchmod, path)
      try live.setPermissions(descriptor, path, permissions)
    }
    files.truncate = { (descriptor, path) throws(FileError) in
      try self.check(.ftruncate, path)
      try live.truncate(descriptor, path)
    }
    files.tryLock = { (descriptor, path) throws(FileError) in
      try self.check(.flock, path)
      return try live.tryLock(descriptor, path)
    }
    files.names = { (directory) throws(FileError) in
      try self.check(.readDirectory, directory)
      return try live.names(directory)
    }
    files.linkTarget = { (path) throws(FileError) in
      try self.check(.readlink, path)
      return try live.linkTarget(path)
    }
    files.realPath = { (path) throws(FileError) in
      try self.check(.realpath, path)
      return try live.realPath(path)
    }
    return files
  }
}
