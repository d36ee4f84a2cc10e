#if canImport(Darwin)
  internal import Foundation

  extension SystemCalls {
    /// By Foundation, since the form of the mark is not documented.
    internal static func setExcludedFromBackup(
      _ path: String, _ isExcluded: Bool
    ) throws(FileError) {
      var url = URL(fileURLWithPath: path)
      var values = URLResourceValues()
      values.isExcludedFromBackup = isExcluded
      do {
        try url.setResourceValues(values)
      } catch {
        throw FileError(.setAttributes, path, code: FileError.inputOutput)
      }
    }
  }
#endif
