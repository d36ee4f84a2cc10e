/// A growing list whose elements are used in place.
///
/// Elements of an array in a class are reached through checks for exclusive access and for
/// uniqueness of the array; in the loops of the loader these cost as much as the work itself. The
/// owner frees the list, and nobody keeps a pointer into it while it grows.
///
/// Inlinable: unspecialised, a call for each element would cost more than what is done with it.
package struct PinnedList<Element> {
  @usableFromInline package internal(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var capacity: Int

  @inlinable
  package init(capacity: Int = 16) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  @inlinable
  package func deallocate() {
    base.deinitialize(count: count)
    base.deallocate()
  }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Removes the last element.
  ///
  /// - Precondition: The list is not empty.
  @inlinable @inline(__always)
  package mutating func removeLast() {
    precondition(count > 0)
    count -= 1
    (base + count).deinitialize(count: 1)
  }

  @inlinable
  package mutating func removeAll() {
    base.deinitialize(count: count)
    count = 0
  }

  @usableFromInline
  mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
