#if canImport(Darwin)
  internal import Darwin

  extension SystemCalls {
    internal static func modificationTime(of status: stat) -> Int64 {
      Int64(status.st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtimespec.tv_nsec)
    }

    /// A barrier in the drive's queue; where there is none, the bytes at least leave for the drive.
    internal static func orderOnDisk(_ descriptor: Int32) -> Int32 {
      let result = fcntl(descriptor, F_BARRIERFSYNC)
      return result == 0 || errno == EINTR ? result : fsync(descriptor)
    }

    /// Nothing: the system starts by itself.
    internal static func startWriteback(
      _ descriptor: Int32, _ offset: Int64, _ byteCount: Int64
    ) {}

    internal static func renameFileExclusively(
      _ from: String, _ to: String
    ) throws(FileError) {
      try check(from, for: .renameExclusively)
      try check(to, for: .renameExclusively)
      _ = try call(.renameExclusively, to) { renamex_np(from, to, UInt32(RENAME_EXCL)) }
    }

    /// Clones without the owner, which would be that of the app's bundle.
    internal static func cloneFile(_ from: String, _ to: String) throws(FileError) {
      try check(from, for: .clone)
      try check(to, for: .clone)
      _ = try call(.clone, to) { clonefile(from, to, UInt32(CLONE_NOOWNERCOPY)) }
    }

    internal static func cloneContents(
      _ from: Int32, _ to: Int32, _ path: String
    ) throws(FileError) {
      throw FileError(.clone, path, code: ENOTSUP)
    }

    internal static func copyRange(
      _ from: Int32, _ to: Int32, _ path: String, _ byteCount: Int
    ) throws(FileError) -> Int {
      throw FileError(.copyRange, path, code: ENOTSUP)
    }

    internal static func removeAttributes(
      _ descriptor: Int32, _ path: String
    ) throws(FileError) {
      let count = try call(.setAttributes, path) { flistxattr(descriptor, nil, 0, 0) }
      guard count > 0 else { return }
      var names = [CChar](repeating: 0, count: count)
      let filled = try call(.setAttributes, path) { flistxattr(descriptor, &names, count, 0) }
      for name in names[..<filled].split(separator: 0) {
        // Some belong to the system, which refuses to let go of them.
        _ = fremovexattr(descriptor, Array(name) + [0], 0)
      }
    }

    internal static func setProtection(
      _ descriptor: Int32, _ path: String, _ protection: FileProtection
    ) throws(FileError) {
      do throws(FileError) {
        _ = try call(.setAttributes, path) {
          fcntl(descriptor, F_SETPROTECTIONCLASS, protection.rawValue)
        }
      } catch {
        // Macs and simulators have no classes.
        guard error.isUnsupported else { throw error }
      }
    }
  }
#endif
