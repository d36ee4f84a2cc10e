#if !canImport(Darwin)
  internal import CFiles
  internal import Glibc

  extension SystemCalls {
    internal static func modificationTime(of status: stat) -> Int64 {
      Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    internal static func orderOnDisk(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    internal static func startWriteback(
      _ descriptor: Int32, _ offset: Int64, _ byteCount: Int64
    ) {
      _ = seed_start_writeback(descriptor, Int(offset), Int(byteCount))
    }

    internal static func renameFileExclusively(
      _ from: String, _ to: String
    ) throws(FileError) {
      try check(from, for: .renameExclusively)
      try check(to, for: .renameExclusively)
      _ = try call(.renameExclusively, to) { seed_rename_exclusive(from, to) }
    }

    internal static func cloneFile(_ from: String, _ to: String) throws(FileError) {
      throw FileError(.clone, to, code: ENOSYS)
    }

    internal static func cloneContents(
      _ from: Int32, _ to: Int32, _ path: String
    ) throws(FileError) {
      _ = try call(.clone, path) { seed_clone_contents(from, to) }
    }

    internal static func copyRange(
      _ from: Int32, _ to: Int32, _ path: String, _ byteCount: Int
    ) throws(FileError) -> Int {
      try call(.copyRange, path) { seed_copy_range(from, to, UInt(byteCount)) }
    }

    /// Nothing: on Linux no way of copying takes attributes over.
    internal static func removeAttributes(_ descriptor: Int32, _ path: String) throws(FileError) {}

    /// Nothing: Linux has no such classes.
    internal static func setProtection(
      _ descriptor: Int32, _ path: String, _ protection: FileProtection
    ) throws(FileError) {}

    /// Nothing: Linux has no such mark.
    internal static func setExcludedFromBackup(
      _ path: String, _ isExcluded: Bool
    ) throws(FileError) {}
  }
#endif
