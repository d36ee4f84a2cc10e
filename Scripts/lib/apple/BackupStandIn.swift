// SystemCalls+Backup.swift needs Foundation, which on Linux comes with Linux's C library, so it is
// checked by itself.
extension SystemCalls {
  internal static func setExcludedFromBackup(
    _ path: String, _ isExcluded: Bool
  ) throws(FileError) {}
}
