internal import SeedFiles
internal import SeedFormat

/// The copy of a seed under its temporary name.
///
/// Its descriptor is held until just before it is published, and never after: closing any
/// descriptor of a file drops the locks that SQLite holds on it in this process, and under its
/// final name others of this process may have it open at once.
internal final class StagedCopy {
  internal let path: String
  /// How the copy was made; known once it is complete.
  internal var method: CopyMethod
  private let files: FileSystem
  private var descriptor: Int32?
  private var isGone = false

  internal init(path: String, method: CopyMethod, descriptor: Int32, files: FileSystem) {
    self.path = path
    self.method = method
    self.descriptor = descriptor
    self.files = files
    // Only a program that asks for it is cleaned up after an interruption; see there.
    InterruptCleanup.register(path)
  }

  deinit { remove() }

  /// The size of the copy.
  internal func byteCount() throws(FileError) -> Int64 {
    try withOpenDescriptor { (descriptor) throws(FileError) in
      try files.descriptorStatus(descriptor, path).byteCount
    }
  }

  /// The first bytes of the copy.
  internal func start(byteCount: Int) throws(FileError) -> [UInt8] {
    try withOpenDescriptor { (descriptor) throws(FileError) in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
      defer { buffer.deallocate() }
      let count = try files.readAt(descriptor, path, buffer, 0)
      return Array(buffer[..<count])
    }
  }

  /// Waits until the copy is on the disk.
  internal func synchronize(_ durability: Durability) throws(FileError) {
    try withOpenDescriptor { (descriptor) throws(FileError) in
      switch durability {
      case .full: try files.synchronize(descriptor, path)
      case .barrier: try files.synchronizeOrder(descriptor, path)
      case .process: break
      }
    }
  }

  /// Sets permissions and the like to what the options say, whatever a clone took over.
  internal func setAttributes(_ options: InstallOptions) throws(FileError) {
    try withOpenDescriptor { (descriptor) throws(FileError) in
      try files.setPermissions(descriptor, path, options.permissions)
      if method == .clone { try files.removeAttributes(descriptor, path) }
      if let protection = options.protection {
        try files.setProtection(descriptor, path, FileProtection(protection))
      }
    }
    if let isExcluded = options.isExcludedFromBackup {
      try files.setExcludedFromBackup(path, isExcluded)
    }
  }

  /// Closes the copy: it is about to get its name.
  internal func close() {
    if let descriptor { files.close(descriptor) }
    descriptor = nil
  }

  /// Notes that the temporary name is gone, as a rename leaves it.
  internal func wasRenamed() {
    isGone = true
    InterruptCleanup.unregister(path)
  }

  /// Deletes the copy, and what SQLite has left beside it.
  ///
  /// Called when nobody can take an error any more; what stays is swept by the next call.
  /// - Returns: Whether the temporary name is gone.
  @discardableResult
  internal func remove() -> Bool {
    close()
    guard !isGone else { return true }
    isGone = files.removeDatabase(path)
    InterruptCleanup.unregister(path)
    return isGone
  }

  /// Lends the descriptor.
  ///
  /// - Precondition: The copy was not closed.
  internal func withOpenDescriptor<Value>(
    _ body: (Int32) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    guard let descriptor else { preconditionFailure("the copy is closed") }
    return try body(descriptor)
  }
}

extension FileSystem {
  /// Deletes a private database and what SQLite has left beside it.
  ///
  /// - Returns: Whether all of it is gone.
  internal func removeDatabase(_ path: String) -> Bool {
    var isGone = true
    for name in InstallPlace.siblings.map({ path + $0 }) + [path] {
      do throws(FileError) {
        guard try linkStatus(name) != nil else { continue }
        try unlink(name)
      } catch {
        isGone = false
      }
    }
    return isGone
  }
}

extension FileProtection {
  fileprivate init(_ value: ProtectionClass) {
    self =
      switch value {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .untilFirstUnlock: .untilFirstUnlock
      case .none: .none
      }
  }
}
