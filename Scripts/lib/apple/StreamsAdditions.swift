// What StreamDatabase.swift uses of Apple's C library.
internal struct timespec {
  internal var tv_sec = 0
  internal var tv_nsec = 0
}

internal let CLOCK_REALTIME: UInt32 = 0

@discardableResult
internal func clock_gettime(_ clock: UInt32, _ time: UnsafeMutablePointer<timespec>) -> Int32 { 0 }

// What SegmentLines.swift uses of it.
internal func memchr(
  _ bytes: UnsafeRawPointer, _ byte: Int32, _ count: Int
) -> UnsafeMutableRawPointer? { nil }

@discardableResult
internal func memcpy(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer { target }

@discardableResult
internal func memmove(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: Int
) -> UnsafeMutableRawPointer { target }

// What StreamCache.swift uses of it.
internal func getenv(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? { nil }
internal func getpid() -> Int32 { 0 }
