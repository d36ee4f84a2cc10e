internal import SeedModel

/// The names of members, each kept once and known by a number.
///
/// Plain memory, since members are looked up by the bytes of their names; it outlives a reading, so
/// that a second one knows the names by the same numbers.
struct ObjectNameTable {
  struct Name {
    var bytes: UnsafeMutablePointer<UInt8>
    var count: Int
    var hash: UInt64
  }

  private(set) var names: [Name] = []
  /// The numbers of the names by their hashes, at most half full; -1 where there is none.
  private var slots: UnsafeMutablePointer<Int32>
  private var slotCount = 256
  private var byteCount = 0
  /// Secrets, so that nobody can write a document whose names all fall into one slot.
  ///
  /// What is read does not depend on them.
  private let seed = UInt64.random(in: .min ... .max)
  private let factor = UInt64.random(in: .min ... .max) | 1

  /// The most bytes of all names together (16 MiB).
  static let mostBytes = 16 << 20

  init() {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: -1, count: slotCount)
  }

  func deallocate() {
    for name in names { name.bytes.deallocate() }
    slots.deallocate()
  }

  /// The number of a name, a new one if it was not met before.
  ///
  /// - Throws: ``ObjectFailure/limit(_:)`` for a name that is too long, or one too many.
  mutating func number(
    of bytes: UnsafePointer<UInt8>, count: Int
  ) throws(ObjectFailure) -> Int32 {
    let hash = hash(bytes, count)
    var slot = Int(truncatingIfNeeded: hash) & (slotCount - 1)
    while slots[slot] >= 0 {
      if isName(Int(slots[slot]), hash, bytes, count) { return slots[slot] }
      slot = (slot + 1) & (slotCount - 1)
    }
    guard count <= InputLimits.nameBytes else {
      throw .limit(.tooLong(what: "a name", limit: InputLimits.nameBytes))
    }
    byteCount += count
    guard byteCount <= ObjectNameTable.mostBytes else {
      throw .limit(.tooLong(what: "the text of all names", limit: ObjectNameTable.mostBytes))
    }
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, count))
    copy.update(from: bytes, count: count)
    slots[slot] = Int32(names.count)
    names.append(Name(bytes: copy, count: count, hash: hash))
    if 2 * names.count > slotCount { growSlots() }
    return Int32(names.count - 1)
  }

  /// The number of a name that the reader itself gives.
  mutating func number(of name: String) throws(ObjectFailure) -> Int32 {
    let bytes = Array(name.utf8) + [0]
    return try bytes.withUnsafeBufferPointer { (buffer) throws(ObjectFailure) -> Int32 in
      guard let base = buffer.baseAddress else { return -1 }
      return try number(of: base, count: bytes.count - 1)
    }
  }

  /// The text of a name.
  func text(_ number: Int32) -> String {
    let name = names[Int(number)]
    return String(
      decoding: UnsafeBufferPointer(start: name.bytes, count: name.count), as: UTF8.self)
  }

  private func isName(
    _ number: Int, _ hash: UInt64, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    guard names[number].hash == hash, names[number].count == count else { return false }
    let known = names[number].bytes
    for index in 0..<count where known[index] != bytes[index] { return false }
    return true
  }

  private mutating func growSlots() {
    slots.deallocate()
    slotCount *= 4
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: -1, count: slotCount)
    for (number, name) in names.enumerated() {
      var slot = Int(truncatingIfNeeded: name.hash) & (slotCount - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = Int32(number)
    }
  }

  private func hash(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var index = 0
    while index + 8 <= count {
      hash = mixed(hash ^ UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    return mixed(hash ^ rest)
  }

  /// Both halves of a product, folded: every bit of it depends on every bit of the factors.
  @inline(__always)
  private func mixed(_ value: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}

/// Why a reader of objects has to stop.
enum ObjectFailure: Error {
  /// The document goes beyond a bound.
  case limit(InputError.Reason)
  /// An object has two members of this name.
  case duplicate(String)
  /// Nobody wants more.
  case cancelled
}
