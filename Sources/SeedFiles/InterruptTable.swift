#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A fixed number of paths in memory that a signal handler can read at any moment.
///
/// `@unchecked` is safe: changes are made under the lock, and the handler, which cannot take it,
/// reads one word per slot, which is either nil or a block that is never changed nor freed.
internal final class InterruptTable: @unchecked Sendable {
  /// Each slot: the C strings to unlink, one after the other, ended by an empty one.
  private let slots: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let capacity: Int
  /// The path in each slot, for everyone but the handler.
  private let paths: Lock<[String?]>

  internal init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: nil, count: capacity)
    paths = Lock(Array(repeating: nil, count: capacity))
  }

  deinit {
    slots.deallocate()
  }

  /// Does nothing but make sure that the table exists.
  internal func prepare() {}

  internal func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }

  internal func add(_ path: String) {
    // Left in memory for good, a few hundred bytes for each built file: a handler on another
    // thread may be reading it at any time.
    let block = Self.block(of: [path] + TemporaryName.companions.map { path + $0 })
    let slot = paths.withLock { paths in
      let free = paths.firstIndex(of: nil)
      if let free { paths[free] = path }
      return free
    }
    guard let slot else {
      block.deallocate()
      return
    }
    // Unlocking above and locking here orders the block's bytes before the word that shows it.
    paths.withLock { _ in slots[slot] = block }
  }

  internal func remove(_ path: String) {
    paths.withLock { paths in
      guard let slot = paths.firstIndex(of: path) else { return }
      slots[slot] = nil
      paths[slot] = nil
    }
  }

  /// Unlinks every path on the list; safe in a signal handler.
  internal func unlinkAll() {
    var index = 0
    while index < capacity {
      if var text = slots[index] {
        while text.pointee != 0 {
          _ = unlink(text)
          text += strlen(text) + 1
        }
      }
      index += 1
    }
  }

  private static func block(of paths: [String]) -> UnsafeMutablePointer<CChar> {
    var bytes: [CChar] = []
    for path in paths { bytes.append(contentsOf: path.utf8CString) }
    bytes.append(0)
    let block = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    block.initialize(from: bytes, count: bytes.count)
    return block
  }
}
