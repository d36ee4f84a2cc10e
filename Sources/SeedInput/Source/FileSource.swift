internal import SeedModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An input file, or standard input, read from start to end and, when it is a file, again.
///
/// Held open from the first reading to the last, so a file that is replaced or deleted meanwhile
/// is still read whole; one that is written to meanwhile is an error.
package final class FileSource: ByteSource {
  private let descriptor: Int32
  private let name: String
  private let ownsDescriptor: Bool
  private var start = stat()
  /// Where the input begins: the standard input may be a file of which something was read before.
  private var startOffset: off_t = 0
  /// How many bytes were read since the start or the last ``rewind()``.
  package private(set) var byteCount: Int64 = 0

  /// The file's size in bytes; nil when it is a pipe or a device.
  package var size: Int64? { isRegular ? max(0, Int64(start.st_size - startOffset)) : nil }

  /// Whether the input can be read a second time by seeking.
  package var isRegular: Bool { start.st_mode & S_IFMT == S_IFREG }

  /// Opens a file.
  ///
  /// - Throws: ``InputError`` (`missing`, `isDirectory`, `unreadable`).
  package init(path: String) throws {
    name = path
    ownsDescriptor = true
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      let isMissing = code == ENOENT || code == ENOTDIR
      throw InputError(
        isMissing ? .missing : .unreadable(operation: "open", errno: code), at: .init(file: path))
    }
    try readStatus()
  }

  /// Takes standard input, which may be a file too.
  ///
  /// - Throws: ``InputError`` when it is closed or a directory.
  package init(standardInput: Void) throws {
    name = "<stdin>"
    ownsDescriptor = false
    descriptor = STDIN_FILENO
    try readStatus()
    // A pipe has no place in it to come back to.
    if isRegular { startOffset = max(0, lseek(descriptor, 0, SEEK_CUR)) }
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  private func readStatus() throws {
    guard fstat(descriptor, &start) == 0 else {
      throw InputError(.unreadable(operation: "read", errno: errno), at: .init(file: name))
    }
    guard start.st_mode & S_IFMT != S_IFDIR else {
      throw InputError(.isDirectory, at: .init(file: name))
    }
    #if canImport(Glibc)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    #endif
  }

  package func read(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) throws -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer, capacity)
      #else
        let count = Glibc.read(descriptor, buffer, capacity)
      #endif
      if count >= 0 {
        byteCount += Int64(count)
        return count
      }
      if errno != EINTR {
        throw InputError(.unreadable(operation: "read", errno: errno), at: .init(file: name))
      }
    }
  }

  /// Goes back to the first byte of the input.
  ///
  /// - Throws: ``InputError`` when the input is not a file or has changed.
  package func rewind() throws {
    try checkUnchanged()
    guard lseek(descriptor, startOffset, SEEK_SET) == startOffset else {
      throw InputError(.unreadable(operation: "seek", errno: errno), at: .init(file: name))
    }
    byteCount = 0
  }

  /// Fails when the file was written to, cut or extended since it was opened.
  ///
  /// - Throws: ``InputError/Reason/changedWhileRead``.
  package func checkUnchanged() throws {
    guard isRegular else { return }
    var now = stat()
    guard fstat(descriptor, &now) == 0 else {
      throw InputError(.unreadable(operation: "read", errno: errno), at: .init(file: name))
    }
    #if canImport(Darwin)
      let sameTime =
        now.st_mtimespec.tv_sec == start.st_mtimespec.tv_sec
        && now.st_mtimespec.tv_nsec == start.st_mtimespec.tv_nsec
    #else
      let sameTime =
        now.st_mtim.tv_sec == start.st_mtim.tv_sec && now.st_mtim.tv_nsec == start.st_mtim.tv_nsec
    #endif
    guard sameTime, now.st_size == start.st_size else {
      throw InputError(.changedWhileRead, at: .init(file: name))
    }
  }
}
