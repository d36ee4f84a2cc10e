#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The system's file calls with their errors as ``FileError``; the one place that makes them.
internal enum SystemCalls {
  /// Repeats a call for as long as a signal interrupts it; a negative result is an error.
  internal static func call<Number: SignedInteger>(
    _ operation: FileError.Operation, _ path: String, _ body: () -> Number
  ) throws(FileError) -> Number {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      guard code == EINTR else { throw FileError(operation, path, code: code) }
    }
  }

  /// A C string ends at a NUL: a path with one inside would name another file.
  internal static func check(
    _ path: String, for operation: FileError.Operation
  ) throws(FileError) {
    guard !path.utf8.contains(0) else { throw FileError(operation, path, code: EINVAL) }
  }

  internal static func openFile(
    _ path: String, _ mode: FileSystem.OpenMode
  ) throws(FileError) -> Int32 {
    try check(path, for: .open)
    return try call(.open, path) {
      switch mode {
      case .read: open(path, O_RDONLY | O_CLOEXEC)
      case .readNoFollow: open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      case .createNew(let permissions):
        open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(permissions))
      case .append(let permissions):
        open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, mode_t(permissions))
      case .directory: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      }
    }
  }

  /// Closes a descriptor; nothing is to be done about an error, and data was synchronized before.
  internal static func closeFile(_ descriptor: Int32) {
    // Never repeated: after EINTR the number may already belong to another file.
    _ = close(descriptor)
  }

  internal static func readBytes(
    _ descriptor: Int32, _ path: String, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    try call(.read, path) { read(descriptor, buffer.baseAddress, buffer.count) }
  }

  internal static func readBytes(
    _ descriptor: Int32, _ path: String, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
  ) throws(FileError) -> Int {
    try call(.read, path) { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  internal static func writeBytes(
    _ descriptor: Int32, _ path: String, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> Int {
    try call(.write, path) { write(descriptor, bytes.baseAddress, bytes.count) }
  }

  internal static func synchronizeFile(
    _ descriptor: Int32, _ path: String
  ) throws(FileError) {
    // A second fsync after a failed one can succeed although the data is lost: never repeated. One
    // that a signal has interrupted, as happens on network file systems, has not failed.
    _ = try call(.fsync, path) { flushToDisk(descriptor) }
  }

  internal static func synchronizeDirectory(
    _ descriptor: Int32, _ path: String
  ) throws(FileError) {
    do throws(FileError) {
      _ = try call(.fsync, path) { flushToDisk(descriptor) }
    } catch {
      // Some file systems cannot synchronize a directory and say so in one of these ways.
      guard error.code == EINVAL || error.code == ENOTSUP else { throw error }
    }
  }

  internal static func renameFile(_ from: String, _ to: String) throws(FileError) {
    try check(from, for: .rename)
    try check(to, for: .rename)
    _ = try call(.rename, to) { rename(from, to) }
  }

  internal static func unlinkFile(_ path: String) throws(FileError) {
    try check(path, for: .unlink)
    _ = try call(.unlink, path) { unlink(path) }
  }

  internal static func makeDirectory(_ path: String, _ permissions: UInt16) throws(FileError) {
    try check(path, for: .mkdir)
    _ = try call(.mkdir, path) { mkdir(path, mode_t(permissions)) }
  }

  internal static func setPermissions(
    _ descriptor: Int32, _ path: String, _ permissions: UInt16
  ) throws(FileError) {
    _ = try call(.fchmod, path) { fchmod(descriptor, mode_t(permissions)) }
  }

  internal static func truncate(_ descriptor: Int32, _ path: String) throws(FileError) {
    _ = try call(.ftruncate, path) { ftruncate(descriptor, 0) }
  }

  internal static func tryLock(_ descriptor: Int32, _ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try call(.flock, path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
  }

  /// Lets go of a lock; nothing is to be done about an error, and the lock ends with the file.
  internal static func unlock(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
  }

  /// Asks who would keep this process from locking a part of a file for writing.
  internal static func recordLockHolder(
    _ descriptor: Int32, _ path: String, _ offset: Int64, _ byteCount: Int64
  ) throws(FileError) -> Int32? {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(offset)
    lock.l_len = off_t(byteCount)
    _ = try call(.fcntl, path) { fcntl(descriptor, F_GETLK, &lock) }
    return lock.l_type == Int16(F_UNLCK) ? nil : lock.l_pid
  }
}

extension SystemCalls {
  internal static func statusOfFile(_ path: String) throws(FileError) -> FileStatus? {
    try check(path, for: .stat)
    return try status(.stat, path) { stat(path, &$0) }
  }

  internal static func statusOfLink(_ path: String) throws(FileError) -> FileStatus? {
    try check(path, for: .lstat)
    return try status(.lstat, path) { lstat(path, &$0) }
  }

  internal static func statusOfDescriptor(
    _ descriptor: Int32, _ path: String
  ) throws(FileError) -> FileStatus {
    var buffer = stat()
    _ = try call(.stat, path) { fstat(descriptor, &buffer) }
    return FileStatus(buffer)
  }

  private static func status(
    _ operation: FileError.Operation, _ path: String, _ body: (inout stat) -> Int32
  ) throws(FileError) -> FileStatus? {
    var buffer = stat()
    do throws(FileError) {
      _ = try call(operation, path) { body(&buffer) }
      return FileStatus(buffer)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  internal static func names(in directory: String) throws(FileError) -> [String] {
    try check(directory, for: .readDirectory)
    var opened = opendir(directory)
    while opened == nil, errno == EINTR { opened = opendir(directory) }
    guard let stream = opened else {
      throw FileError(.readDirectory, directory, code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      // At the end errno stays as it was; on an error it is set.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno == EINTR { continue }
        guard errno == 0 else { throw FileError(.readDirectory, directory, code: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  internal static func linkTarget(_ path: String) throws(FileError) -> String {
    try check(path, for: .readlink)
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try call(.readlink, path) { readlink(path, &buffer, buffer.count) }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  internal static func realPath(_ path: String) throws(FileError) -> String {
    try check(path, for: .realpath)
    guard let resolved = realpath(path, nil) else {
      throw FileError(.realpath, path, code: errno)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    self.init(
      kind: kind, byteCount: Int64(status.st_size),
      permissions: UInt16(status.st_mode & 0o7777),
      identity: Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino)),
      modificationTime: SystemCalls.modificationTime(of: status))
  }
}
