// What Swift's own overlay for Darwin adds to the C library: forms of variadic functions, and names
// that C has as macros. Compiled into the module that is checked.
import Darwin

internal func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
internal func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
internal func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { 0 }
internal func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
internal func fcntl(
  _ descriptor: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer
) -> Int32 { 0 }
internal var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
internal var SIG_IGN: (@convention(c) (Int32) -> Void)? { nil }
internal var SIG_DFL: (@convention(c) (Int32) -> Void)? { nil }
internal var errno: Int32 {
  get { 0 }
  set {}
}
