#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// How many files this process may have open at once.
package enum OpenFileLimit {
  /// Raises the limit as far as the process may.
  ///
  /// Shells start programs with a low one, 256 on macOS, for the sake of programs that use `select`;
  /// a build has all of its sources open. A limit that cannot be raised stays as it is: who needs
  /// more gets an error that names it.
  package static func raise() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    // Darwin refuses more than OPEN_MAX, even where the hard limit is infinite.
    let wanted = min(limit.rlim_max, mostFiles)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    _ = setrlimit(resource, &limit)
  }

  private static let mostFiles: rlim_t = 10_240

  #if canImport(Darwin)
    private static var resource: Int32 { RLIMIT_NOFILE }
  #else
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
  #endif
}
