/// The two hash tables through which an entity's properties went when Core Data walks them.
///
/// Which side of a many-to-many relationship within one hierarchy names the join table depends on
/// their order. All arithmetic is of 32 bits, without a carry.
enum PropertyTables {
  /// The order of the walk for keys in the order in which they are put into the first table.
  static func order(_ keys: [String]) -> [String] {
    var first = FirstPropertyTable()
    for key in keys { first.add(key) }
    return secondWalk(first.keys)
  }

  // MARK: The second table

  /// How many keys and how many buckets tables of each size have.
  private static let sizes = [
    (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521),
    (521, 839), (843, 1_361), (1_364, 2_207), (2_207, 3_571), (3_571, 5_779), (5_778, 9_349),
    (9_349, 15_121),
  ]

  /// The keys in the order of the buckets that they fall into.
  static func secondWalk(_ keys: [String]) -> [String] {
    // More properties than any model may have.
    let bucketCount = sizes.first { $0.0 >= keys.count }?.1 ?? 15_121
    var buckets = [String?](repeating: nil, count: bucketCount)
    for key in keys {
      var index = Int(secondHash(key)) % bucketCount
      while let other = buckets[index], other != key { index = (index + 1) % bucketCount }
      buckets[index] = key
    }
    return buckets.compactMap(\.self)
  }

  /// Long names are sampled: the first 8 units and the last 16.
  static func secondHash(_ text: String) -> UInt32 {
    hash(text, longest: 23) { Array($0.prefix(8) + $0.suffix(16)) }
  }

  /// Long names are sampled: 32 units from the start, 32 from the middle and 32 from the end.
  static func firstHash(_ text: String) -> UInt32 {
    hash(text, longest: 96) { units in
      let middle = units.count / 2
      return units.prefix(32) + units[(middle - 16)..<(middle + 16)] + units.suffix(32)
    }
  }

  /// The hash of a text over its UTF-16 units.
  private static func hash(
    _ text: String, longest: Int, sample: ([UInt16]) -> [UInt16]
  ) -> UInt32 {
    var units = Array(text.utf16)
    let count = UInt32(truncatingIfNeeded: units.count)
    if units.count > longest { units = sample(units) }
    var result = count
    let wholeCount = units.count & ~3
    for index in stride(from: 0, to: wholeCount, by: 4) {
      result =
        result &* 67_503_105 &+ UInt32(units[index]) &* 16_974_593
        &+ UInt32(units[index + 1]) &* 66_049 &+ UInt32(units[index + 2]) &* 257
        &+ UInt32(units[index + 3])
    }
    for unit in units[wholeCount...] { result = result &* 257 &+ UInt32(unit) }
    return result &+ (result << (count & 31))
  }
}

/// The table that the keys go into first: it grows, and grown tables are walked in bucket order.
struct FirstPropertyTable {
  private var count = 0
  private var capacity = 3
  private var buckets: [String?] = []

  /// The keys in bucket order.
  var keys: [String] { buckets.compactMap(\.self) }

  /// Adds a key unless it is there.
  mutating func add(_ key: String) {
    if count == capacity || buckets.isEmpty { grow() }
    if place(key) { count += 1 }
  }

  private mutating func grow() {
    capacity = 3 << Self.bitLength(count / 3)
    let kept = keys
    buckets = [String?](repeating: nil, count: 4 << Self.bitLength((capacity - 1) / 3))
    for key in kept { _ = place(key) }
  }

  /// Puts a key into the first free bucket from its own on; false if it is there already.
  private mutating func place(_ key: String) -> Bool {
    var index = Int(Self.mixed(PropertyTables.firstHash(key))) & (buckets.count - 1)
    while let other = buckets[index] {
      if other == key { return false }
      index = (index + 1) % buckets.count
    }
    buckets[index] = key
    return true
  }

  private static func bitLength(_ number: Int) -> Int {
    Int.bitWidth - number.leadingZeroBitCount
  }

  /// Spreads a hash over all bits.
  private static func mixed(_ hash: UInt32) -> UInt32 {
    let a = (1_264_676_453 &- hash) ^ ((hash &- 1) << 8)
    let b = (2 &- hash &- a) ^ (a >> 13)
    let c = (hash &- 1 &- a &- b) ^ (b >> 12)
    let d = (a &- b &- c) ^ (c << 16)
    let e = (b &- c &- d) ^ (d >> 5)
    let f = (c &- d &- e) ^ (e >> 3)
    let g = (d &- e &- f) ^ (f << 10)
    return (e &- f &- g) ^ (g >> 15)
  }
}
