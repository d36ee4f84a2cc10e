// What RetryClock.swift uses of Apple's C library.
internal func poll(_ descriptors: UnsafeMutableRawPointer?, _ count: UInt32, _ time: Int32) -> Int32 {
  0
}

// What MonotonicClock.swift uses of it.
internal struct timespec {
  internal var tv_sec = 0
  internal var tv_nsec = 0
}

internal let CLOCK_MONOTONIC: UInt32 = 6

@discardableResult
internal func clock_gettime(_ clock: UInt32, _ time: UnsafeMutablePointer<timespec>) -> Int32 { 0 }

// What TransportThread.swift uses of it.
internal typealias pthread_t = OpaquePointer

internal func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafeRawPointer?,
  _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

@discardableResult
internal func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }
