import Foundation
package import SeedFiles

/// A file system that records its calls and in which those of chosen numbers fail, to sweep
/// through all of them.
///
/// `@unchecked` is safe: what changes is guarded by the lock.
package final class FaultyFiles: @unchecked Sendable {
  /// What fails once the number is reached.
  package enum Extent: Sendable, CaseIterable {
    /// That operation alone.
    case one
    /// That operation and all after it, as on a disk that is gone.
    case allAfter
  }

  /// One call as it was made.
  package struct Call: Sendable, Equatable {
    package var operation: FileError.Operation
    package var path: String
  }

  private let failing: Int
  private let extent: Extent
  private let code: Int32
  private let unsupported: [FileError.Operation: Int32]
  private let onCall: @Sendable (Int, Call) -> Void
  private let base: FileSystem
  private let lock = NSLock()
  private var recorded: [Call] = []

  /// Counts operations from 1 and fails one with an error number.
  ///
  /// - Parameters:
  ///   - failing: The number of the operation that fails; none does without one.
  ///   - extent: Whether the ones after it fail, too.
  ///   - code: The error number.
  ///   - unsupported: Operations that always fail, each with its error number.
  ///   - base: The file system below.
  ///   - onCall: Called before each operation with its number.
  package init(
    failing: Int = .max, _ extent: Extent = .one, code: Int32 = EIO,
    unsupported: [FileError.Operation: Int32] = [:], base: FileSystem = .live,
    onCall: @escaping @Sendable (Int, Call) -> Void = { _, _ in }
  ) {
    self.failing = failing
    self.extent = extent
    self.code = code
    self.unsupported = unsupported
    self.base = base
    self.onCall = onCall
  }

  /// Whether the faulty operation was reached.
  package var isReached: Bool { lock.withLock { recorded.count >= failing } }
  /// The calls so far in their order, the one that failed included.
  package var calls: [Call] { lock.withLock { recorded } }

  private func check(_ operation: FileError.Operation, _ path: String) throws(FileError) {
    let call = Call(operation: operation, path: path)
    let number = lock.withLock {
      recorded.append(call)
      return recorded.count
    }
    onCall(number, call)
    if let code = unsupported[operation] { throw FileError(operation, path, code: code) }
    if extent == .one ? number == failing : number >= failing {
      throw FileError(operation, path, code: code)
    }
  }

  /// The file system below with the faults.
  package var files: FileSystem {
    var files = base
    addFaultsToContent(of: &files)
    addFaultsToNames(of: &files)
    addFaultsToCopies(of: &files)
    addFaultsToStatus(of: &files)
    return files
  }

  private func addFaultsToContent(of files: inout FileSystem) {
    let base = base
    files.open = { (path, mode) throws(FileError) in
      try self.check(.open, path)
      return try base.open(path, mode)
    }
    files.read = { (descriptor, path, buffer) throws(FileError) in
      try self.check(.read, path)
      return try base.read(descriptor, path, buffer)
    }
    files.readAt = { (descriptor, path, buffer, offset) throws(FileError) in
      try self.check(.read, path)
      return try base.readAt(descriptor, path, buffer, offset)
    }
    files.write = { (descriptor, path, bytes) throws(FileError) in
      try self.check(.write, path)
      return try base.write(descriptor, path, bytes)
    }
    files.synchronize = { (descriptor, path) throws(FileError) in
      try self.check(.fsync, path)
      try base.synchronize(descriptor, path)
    }
    files.synchronizeDirectory = { (descriptor, path) throws(FileError) in
      try self.check(.fsync, path)
      try base.synchronizeDirectory(descriptor, path)
    }
    files.synchronizeOrder = { (descriptor, path) throws(FileError) in
      try self.check(.fsync, path)
      try base.synchronizeOrder(descriptor, path)
    }
    files.truncate = { (descriptor, path) throws(FileError) in
      try self.check(.ftruncate, path)
      try base.truncate(descriptor, path)
    }
    files.tryLock = { (descriptor, path) throws(FileError) in
      try self.check(.flock, path)
      return try base.tryLock(descriptor, path)
    }
    files.recordLockHolder = { (descriptor, path, offset, count) throws(FileError) in
      try self.check(.fcntl, path)
      return try base.recordLockHolder(descriptor, path, offset, count)
    }
  }

  private func addFaultsToNames(of files: inout FileSystem) {
    let base = base
    files.rename = { (from, to) throws(FileError) in
      try self.check(.rename, to)
      try base.rename(from, to)
    }
    files.renameExclusively = { (from, to) throws(FileError) in
      try self.check(.renameExclusively, to)
      try base.renameExclusively(from, to)
    }
    files.link = { (from, to) throws(FileError) in
      try self.check(.link, to)
      try base.link(from, to)
    }
    files.unlink = { (path) throws(FileError) in
      try self.check(.unlink, path)
      try base.unlink(path)
    }
    files.makeDirectory = { (path, permissions) throws(FileError) in
      try self.check(.mkdir, path)
      try base.makeDirectory(path, permissions)
    }
    files.names = { (directory) throws(FileError) in
      try self.check(.readDirectory, directory)
      return try base.names(directory)
    }
    files.linkTarget = { (path) throws(FileError) in
      try self.check(.readlink, path)
      return try base.linkTarget(path)
    }
    files.realPath = { (path) throws(FileError) in
      try self.check(.realpath, path)
      return try base.realPath(path)
    }
  }

  private func addFaultsToCopies(of files: inout FileSystem) {
    let base = base
    files.cloneFile = { (from, to) throws(FileError) in
      try self.check(.clone, to)
      try base.cloneFile(from, to)
    }
    files.cloneContents = { (from, to, path) throws(FileError) in
      try self.check(.clone, path)
      try base.cloneContents(from, to, path)
    }
    files.copyRange = { (from, to, path, byteCount) throws(FileError) in
      try self.check(.copyRange, path)
      return try base.copyRange(from, to, path, byteCount)
    }
    files.availableByteCount = { (path) throws(FileError) in
      try self.check(.statvfs, path)
      return try base.availableByteCount(path)
    }
  }

  private func addFaultsToStatus(of files: inout FileSystem) {
    let base = base
    files.status = { (path) throws(FileError) in
      try self.check(.stat, path)
      return try base.status(path)
    }
    files.linkStatus = { (path) throws(FileError) in
      try self.check(.lstat, path)
      return try base.linkStatus(path)
    }
    files.descriptorStatus = { (descriptor, path) throws(FileError) in
      try self.check(.stat, path)
      return try base.descriptorStatus(descriptor, path)
    }
    files.setPermissions = { (descriptor, path, permissions) throws(FileError) in
      try self.check(.fchmod, path)
      try base.setPermissions(descriptor, path, permissions)
    }
    files.removeAttributes = { (descriptor, path) throws(FileError) in
      try self.check(.setAttributes, path)
      try base.removeAttributes(descriptor, path)
    }
    files.setProtection = { (descriptor, path, protection) throws(FileError) in
      try self.check(.setAttributes, path)
      try base.setProtection(descriptor, path, protection)
    }
    files.setExcludedFromBackup = { (path, isExcluded) throws(FileError) in
      try self.check(.setAttributes, path)
      try base.setExcludedFromBackup(path, isExcluded)
    }
  }
}
