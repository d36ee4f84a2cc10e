/// Finds the link of a name at a place.
struct ObjectLinkIndex {
  private struct Entry {
    var key: UInt64
    var link: Int32
  }

  private static let noKey = UInt64.max
  /// At most half full.
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 512
  private var count = 0

  init() {
    entries = .allocate(capacity: capacity)
    entries.initialize(
      repeating: Entry(key: ObjectLinkIndex.noKey, link: -1), count: capacity)
  }

  func deallocate() {
    entries.deallocate()
  }

  @inline(__always)
  private func key(_ place: Int32, _ name: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: place)) << 32 | UInt64(UInt32(bitPattern: name))
  }

  @inline(__always)
  private func slot(_ key: UInt64) -> Int {
    // Both numbers are counted up by us: nobody chooses them.
    let product = key.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low) & (capacity - 1)
  }

  @inline(__always)
  func find(_ place: Int32, _ name: Int32) -> Int32? {
    let key = key(place, name)
    var slot = slot(key)
    while entries[slot].link >= 0 {
      if entries[slot].key == key { return entries[slot].link }
      slot = (slot + 1) & (capacity - 1)
    }
    return nil
  }

  mutating func add(_ place: Int32, _ name: Int32, _ link: Int32) {
    if 2 * (count + 1) > capacity { grow() }
    put(Entry(key: key(place, name), link: link))
    count += 1
  }

  private func put(_ entry: Entry) {
    var slot = slot(entry.key)
    while entries[slot].link >= 0 { slot = (slot + 1) & (capacity - 1) }
    entries[slot] = entry
  }

  private mutating func grow() {
    let old = entries
    let oldCapacity = capacity
    capacity *= 4
    entries = .allocate(capacity: capacity)
    entries.initialize(
      repeating: Entry(key: ObjectLinkIndex.noKey, link: -1), count: capacity)
    for index in 0..<oldCapacity where old[index].link >= 0 { put(old[index]) }
    old.deallocate()
  }
}
