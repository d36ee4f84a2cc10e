extension PropertyList {
  /// Reads a small property list in the binary format; nil for anything that is not one.
  ///
  /// For those in a database, whose only reader this is: an app links no more than it needs. Files
  /// of a user's are read by ``SeedInput``, which says what is wrong with them and where.
  package init?(binary bytes: [UInt8]) {
    guard let reader = BinaryPropertyListReader(bytes) else { return nil }
    var rest = BinaryPropertyListReader.mostValues
    guard let value = reader.value(reader.topObject, depth: 0, &rest) else { return nil }
    self = value
  }
}

/// The frame of a binary property list in memory; see `CFBinaryPList.c` of CoreFoundation.
private struct BinaryPropertyListReader {
  /// How often values may be met: shared ones make a short list a long one.
  static let mostValues = 100_000
  private static let mostDepth = 32

  private let bytes: [UInt8]
  private let offsetByteCount: Int
  private let referenceByteCount: Int
  private let objectCount: Int
  private let tableStart: Int
  let topObject: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40, bytes.starts(with: Array("bplist0".utf8)) else { return nil }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetByteCount = Int(bytes[trailer + 6])
    referenceByteCount = Int(bytes[trailer + 7])
    func number(_ start: Int) -> Int? {
      Int(exactly: bytes[start..<start + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
    guard let objectCount = number(trailer + 8), let topObject = number(trailer + 16),
      let tableStart = number(trailer + 24), (1...8).contains(offsetByteCount),
      (1...8).contains(referenceByteCount), objectCount <= bytes.count, topObject < objectCount,
      tableStart >= 8, tableStart <= trailer,
      objectCount * offsetByteCount <= trailer - tableStart
    else { return nil }
    self.objectCount = objectCount
    self.topObject = topObject
    self.tableStart = tableStart
  }

  /// A number among the objects or in the table; nil if it reaches beyond them.
  private func number(at start: Int, byteCount: Int) -> UInt64? {
    guard start >= 0, byteCount <= bytes.count - 32 - start else { return nil }
    return bytes[start..<start + byteCount].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func content(_ start: Int, byteCount: Int) -> ArraySlice<UInt8>? {
    guard byteCount >= 0, start <= tableStart, byteCount <= tableStart - start else { return nil }
    return bytes[start..<start + byteCount]
  }

  /// The object of a number, with all that is in it.
  func value(_ index: Int, depth: Int, _ rest: inout Int) -> PropertyList? {
    rest -= 1
    guard rest > 0, depth < Self.mostDepth, index < objectCount,
      let offset = number(at: tableStart + index * offsetByteCount, byteCount: offsetByteCount),
      let start = Int(exactly: offset), start >= 8, start < tableStart
    else { return nil }
    let (type, low) = (bytes[start] >> 4, Int(bytes[start] & 0xF))
    switch type {
    case 0x0: return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : nil
    case 0x1:
      guard low <= 3, let bits = number(at: start + 1, byteCount: 1 << low) else { return nil }
      return .integer(Int64(bitPattern: bits))
    case 0x2, 0x3: return real(start, low, isDate: type == 0x3)
    case 0x8:
      guard low < 8 else { return nil }
      return number(at: start + 1, byteCount: low + 1).map { .identifier($0) }
    default: break
    }
    guard let (count, position) = count(start, low) else { return nil }
    switch type {
    case 0x4: return content(position, byteCount: count).map { .data(Array($0)) }
    case 0x5:
      guard let text = content(position, byteCount: count), text.allSatisfy({ $0 < 0x80 })
      else { return nil }
      return .string(String(decoding: text, as: UTF8.self))
    case 0x6: return utf16(position, count)
    case 0xA, 0xD: return container(position, count, type == 0xD, depth, &rest)
    default: return nil
    }
  }

  private func real(_ start: Int, _ low: Int, isDate: Bool) -> PropertyList? {
    guard low == 3 || (low == 2 && !isDate),
      let bits = number(at: start + 1, byteCount: 1 << low)
    else { return nil }
    let number =
      low == 3
      ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    return isDate ? .date(number) : .real(number)
  }

  /// The count of an object and where its content stands.
  private func count(_ start: Int, _ low: Int) -> (count: Int, position: Int)? {
    guard low == 0xF else { return (low, start + 1) }
    guard start + 1 < tableStart, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xF <= 3
    else { return nil }
    let byteCount = 1 << Int(bytes[start + 1] & 0xF)
    guard let number = number(at: start + 2, byteCount: byteCount),
      let count = Int(exactly: number), count <= bytes.count
    else { return nil }
    return (count, start + 2 + byteCount)
  }

  private func utf16(_ position: Int, _ count: Int) -> PropertyList? {
    guard let text = content(position, byteCount: count * 2) else { return nil }
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
      UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
    }
    return .string(String(decoding: units, as: UTF16.self))
  }

  private func container(
    _ position: Int, _ count: Int, _ isDictionary: Bool, _ depth: Int, _ rest: inout Int
  ) -> PropertyList? {
    let size = referenceByteCount
    guard content(position, byteCount: count * size * (isDictionary ? 2 : 1)) != nil else {
      return nil
    }
    var values: [PropertyList] = []
    for index in 0..<(isDictionary ? 2 * count : count) {
      guard let reference = number(at: position + index * size, byteCount: size),
        let object = Int(exactly: reference), let value = value(object, depth: depth + 1, &rest)
      else { return nil }
      values.append(value)
    }
    guard isDictionary else { return .array(values) }
    var members: [String: PropertyList] = [:]
    for index in 0..<count {
      guard let key = values[index].string,
        members.updateValue(values[count + index], forKey: key) == nil
      else { return nil }
    }
    return .dictionary(members)
  }
}
