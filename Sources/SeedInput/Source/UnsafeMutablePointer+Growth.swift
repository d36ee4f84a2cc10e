/// Growing plain memory, which all of the readers' buffers do in the same way.
extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Moves the elements to memory for `needed` of them or more, and notes how many it has room for.
  ///
  /// Grows by half, not twofold: doubling would take a value of 16 MiB to 32.
  mutating func grow(count: Int, toHold needed: Int, capacity: inout Int) {
    capacity = Swift.max(needed, capacity + capacity / 2)
    let larger = UnsafeMutablePointer.allocate(capacity: capacity)
    larger.update(from: self, count: count)
    deallocate()
    self = larger
  }
}
