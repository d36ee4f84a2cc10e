#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file descriptors 0, 1 and 2, which a process may be started without.
enum StandardDescriptors {
  /// Takes each of them that is closed, so that no other file gets its number.
  ///
  /// Otherwise a database could be opened as descriptor 1, and a result would be printed into it.
  /// Each one is opened the wrong way round: its use still fails as that of a closed one does.
  static func reserve() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The system gives out the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
