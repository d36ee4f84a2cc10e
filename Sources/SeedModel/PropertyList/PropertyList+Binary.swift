extension PropertyList {
  /// The property list in the binary format `bplist00` (CoreFoundation, `CFBinaryPList.c`).
  ///
  /// The same value always gives the same bytes: dictionaries are written in the order of their
  /// keys, and equal values that are neither arrays nor dictionaries are stored once.
  package var binary: [UInt8] {
    var writer = BinaryPropertyListWriter()
    return writer.bytes(of: self)
  }
}

/// Writes one property list: numbers its objects, then lays them out.
private struct BinaryPropertyListWriter {
  /// An object with its members by number.
  private enum Object {
    case value(PropertyList)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var numbers: [[UInt8]: Int] = [:]
  private var bytes = Array("bplist00".utf8)

  /// Returns the file of a value.
  mutating func bytes(of value: PropertyList) -> [UInt8] {
    _ = number(of: value)
    let referenceByteCount = byteCount(UInt64(objects.count))
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      append(object, referenceByteCount: referenceByteCount)
    }
    let tableStart = bytes.count
    let offsetByteCount = byteCount(UInt64(tableStart))
    for offset in offsets { append(UInt64(offset), byteCount: offsetByteCount) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetByteCount), UInt8(referenceByteCount)]
    append(UInt64(objects.count), byteCount: 8)
    append(0, byteCount: 8)
    append(UInt64(tableStart), byteCount: 8)
    return bytes
  }

  // MARK: Numbering

  /// The number of an object; those inside it come behind it.
  private mutating func number(of value: PropertyList) -> Int {
    switch value {
    case .array(let elements):
      let number = reserve()
      objects[number] = .array(elements.map { self.number(of: $0) })
      return number
    case .dictionary(let members):
      let number = reserve()
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { self.number(of: .string($0.key)) }
      objects[number] = .dictionary(keys: keys, values: sorted.map { self.number(of: $0.value) })
      return number
    default:
      // By bytes: Swift takes texts for equal that are only equivalent.
      let content = Self.bytes(ofValue: value)
      if let known = numbers[content] { return known }
      numbers[content] = objects.count
      objects.append(.value(value))
      return objects.count - 1
    }
  }

  private mutating func reserve() -> Int {
    objects.append(.array([]))
    return objects.count - 1
  }

  // MARK: Layout

  private mutating func append(_ object: Object, referenceByteCount: Int) {
    switch object {
    case .value(let value): bytes += Self.bytes(ofValue: value)
    case .array(let elements):
      bytes += Self.head(0xA0, count: elements.count)
      for number in elements { append(UInt64(number), byteCount: referenceByteCount) }
    case .dictionary(let keys, let values):
      bytes += Self.head(0xD0, count: keys.count)
      for number in keys + values { append(UInt64(number), byteCount: referenceByteCount) }
    }
  }

  private mutating func append(_ number: UInt64, byteCount: Int) {
    bytes += Self.bigEndian(number, byteCount: byteCount)
  }

  /// How many bytes a number takes: 1, 2, 4 or 8.
  private func byteCount(_ number: UInt64) -> Int { Self.byteCount(number) }

  private static func byteCount(_ number: UInt64) -> Int {
    switch number {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// The first byte of an object with its count, which is an integer of its own from 15 on.
  private static func head(_ type: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [type | UInt8(count)] : [type | 0xF] + integer(Int64(count))
  }

  /// Integers of one, two and four bytes have no sign.
  private static func integer(_ number: Int64) -> [UInt8] {
    let count = number < 0 ? 8 : byteCount(UInt64(number))
    let exponent: UInt8 = count == 1 ? 0 : count == 2 ? 1 : count == 4 ? 2 : 3
    return [0x10 | exponent] + bigEndian(UInt64(bitPattern: number), byteCount: count)
  }

  private static func bytes(ofValue value: PropertyList) -> [UInt8] {
    switch value {
    case .boolean(let isTrue): return [isTrue ? 0x09 : 0x08]
    case .integer(let number): return integer(number)
    case .real(let number): return [0x23] + bigEndian(number.bitPattern, byteCount: 8)
    case .date(let seconds): return [0x33] + bigEndian(seconds.bitPattern, byteCount: 8)
    case .data(let data): return head(0x40, count: data.count) + data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        return head(0x50, count: text.utf8.count) + Array(text.utf8)
      }
      let units = Array(text.utf16)
      return head(0x60, count: units.count)
        + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .identifier(let number):
      let count = byteCount(number)
      return [0x80 | UInt8(count - 1)] + bigEndian(number, byteCount: count)
    case .array, .dictionary: return []
    }
  }
}
