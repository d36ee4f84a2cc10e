#if canImport(Darwin)
  internal import Darwin

  extension SystemCalls {
    /// Asks the drive itself to write its cache: `fsync` alone stops at the drive on Apple systems.
    internal static func flushToDisk(_ descriptor: Int32) -> Int32 {
      // Network and foreign file systems refuse the full flush; the plain one is their best.
      fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    }
  }
#else
  internal import Glibc

  extension SystemCalls {
    /// Waits until the drive has the file's bytes.
    internal static func flushToDisk(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
  }
#endif
