#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension FileError: CustomStringConvertible {
  /// `default.sqlite: no space left on device (write)`.
  package var description: String { "\(path): \(reason) (\(operation.rawValue))" }

  /// The system's words for the error number, with a small first letter.
  package var reason: String {
    let words = String(cString: strerror(code))
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  /// What to do about the error, as an imperative sentence, where something can be said.
  package var hint: String? {
    if isFull { return "free some space on the disk, or write to another one" }
    if code == EMFILE || code == ENFILE {
      return "open fewer files at once, or raise the limit (ulimit -n)"
    }
    if isForbidden { return "check the permissions of the file and of its directory" }
    return nil
  }
}
