#if canImport(Darwin)
  internal import Darwin

  extension SystemCalls {
    /// Asks the drive itself to write its cache: `fsync` alone stops at the drive on Apple systems.
    internal static func flushToDisk(_ descriptor: Int32) -> Int32 {
      let result = fcntl(descriptor, F_FULLFSYNC)
      // Network and foreign file systems refuse the full flush; the plain one is their best. One
      // that was interrupted is repeated by the caller.
      return result == 0 || errno == EINTR ? result : fsync(descriptor)
    }
  }
#else
  internal import Glibc

  extension SystemCalls {
    /// Waits until the drive has the file's bytes.
    internal static func flushToDisk(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
  }
#endif
