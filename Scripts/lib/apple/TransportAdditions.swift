// What RetryClock.swift uses of Apple's C library.
internal func poll(_ descriptors: UnsafeMutableRawPointer?, _ count: UInt32, _ time: Int32) -> Int32 {
  0
}
