/// The keys of one keyed collection, to notice one that comes twice.
///
/// There may be millions, so only the first are kept: within their bound, a second one is an error
/// as in any object; beyond it, both are rows.
struct ObjectKeySet {
  private static let mostKeys = 1 << 14
  private static let mostBytes = 1 << 20

  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  private var byteCapacity = 1 << 10
  /// Where each key ends in `bytes`; it starts where the one before ends.
  private var ends: [Int32] = []
  /// The numbers of the keys by their hashes, at most half full; -1 where there is none.
  private var slots: [Int32] = Array(repeating: -1, count: 64)
  private var usedSlots: [Int32] = []
  /// A secret, so that nobody can write keys that all fall into one slot.
  private let seed = UInt64.random(in: .min ... .max) | 1

  init() {
    bytes = .allocate(capacity: byteCapacity)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// Forgets all keys.
  mutating func removeAll() {
    for slot in usedSlots { slots[Int(slot)] = -1 }
    usedSlots.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  /// Adds a key; false when it is there already.
  mutating func insert(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
    guard ends.count < ObjectKeySet.mostKeys, byteCount + count <= ObjectKeySet.mostBytes else {
      return true
    }
    var slot = firstSlot(key, count)
    while slots[slot] >= 0 {
      if isKey(Int(slots[slot]), key, count) { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(ends.count)
    usedSlots.append(Int32(slot))
    if byteCount + count > byteCapacity {
      bytes.grow(count: byteCount, toHold: byteCount + count, capacity: &byteCapacity)
    }
    (bytes + byteCount).update(from: key, count: count)
    byteCount += count
    ends.append(Int32(byteCount))
    if 2 * ends.count > slots.count { growSlots() }
    return true
  }

  private func start(of number: Int) -> Int { number == 0 ? 0 : Int(ends[number - 1]) }

  private func isKey(_ number: Int, _ key: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let start = start(of: number)
    guard Int(ends[number]) - start == count else { return false }
    for index in 0..<count where bytes[start + index] != key[index] { return false }
    return true
  }

  private func firstSlot(_ key: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var hash = seed
    for index in 0..<count {
      let product = (hash ^ UInt64(key[index])).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low
    }
    return Int(truncatingIfNeeded: hash) & (slots.count - 1)
  }

  private mutating func growSlots() {
    slots = Array(repeating: -1, count: slots.count * 4)
    usedSlots.removeAll(keepingCapacity: true)
    for number in ends.indices {
      let start = start(of: number)
      var slot = firstSlot(bytes + start, Int(ends[number]) - start)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
      usedSlots.append(Int32(slot))
    }
  }
}
