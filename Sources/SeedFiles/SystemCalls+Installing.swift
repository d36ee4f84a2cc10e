#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The calls that installing a file takes, those that all systems share.
extension SystemCalls {
  internal static func linkFile(_ from: String, _ to: String) throws(FileError) {
    try check(from, for: .link)
    try check(to, for: .link)
    _ = try call(.link, to) { link(from, to) }
  }

  internal static func synchronizeOrder(
    _ descriptor: Int32, _ path: String
  ) throws(FileError) {
    _ = try call(.fsync, path) { orderOnDisk(descriptor) }
  }

  internal static func availableByteCount(_ path: String) throws(FileError) -> Int64 {
    try check(path, for: .statvfs)
    var status = statvfs()
    _ = try call(.statvfs, path) { statvfs(path, &status) }
    let (bytes, overflow) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }

  internal static func pause(_ milliseconds: Int) {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    // A signal that ends it early is no harm: whoever pauses looks at the clock.
    nanosleep(&time, nil)
  }

  internal static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
