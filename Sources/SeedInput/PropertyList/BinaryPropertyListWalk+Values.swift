internal import SeedModel

/// The values of a binary property list as text.
extension BinaryPropertyListWalk {
  /// Hands on an object that is neither an array nor a dictionary.
  mutating func takeValue(_ object: BinaryPropertyList.Object) throws {
    let start = tokenizer.batch.byteCount
    var use: ObjectPlaceTable.FieldUse = [.plain, .bare]
    switch object.type {
    case 0x0:
      guard try takeSingular(object) else { return }
    case 0x1: try appendInteger(object)
    case 0x2:
      try appendReal(object)
      use.insert(.real)
    case 0x3: try appendDate(object)
    case 0x4:
      try appendData(object)
      use = .data
    case 0x5, 0x6:
      try appendString(object)
      use = .plain
    case 0x8: try appendIdentifier(object)
    default: throw unknown(object)
    }
    try count(Int64(tokenizer.batch.byteCount - start), at: object)
    try tokenizer.endValue(from: start, line: 0, use)
  }

  private func unknown(_ object: BinaryPropertyList.Object) -> InputError {
    let mark = String(object.type << 4 | UInt8(truncatingIfNeeded: object.count), radix: 16)
    return list.failure("an object of the unknown type 0x\(mark)", at: object.start)
  }

  /// Null, false and true; false when there is no value to hand on.
  private mutating func takeSingular(_ object: BinaryPropertyList.Object) throws -> Bool {
    switch object.count {
    case 0x0:
      try count(1, at: object)
      try tokenizer.null(line: 0)
      return false
    case 0x8: append("false")
    case 0x9: append("true")
    default: throw unknown(object)
    }
    return true
  }

  private mutating func append(_ text: String) {
    for byte in text.utf8 { tokenizer.batch.append(byte: byte) }
  }

  // MARK: Numbers and dates

  /// Integers of up to four bytes have no sign; those of 16 are beyond 64 bits.
  private mutating func appendInteger(_ object: BinaryPropertyList.Object) throws {
    guard object.count <= 4 else { throw unknown(object) }
    let byteCount = 1 << Int(object.count)
    try list.check(object, byteCount: Int64(byteCount))
    if byteCount == 16 {
      let high = try list.bytes.integer(at: object.content, byteCount: 8)
      let low = try list.bytes.integer(at: object.content + 8, byteCount: 8)
      append(WideInteger(high: Int64(bitPattern: high), low: low).digits)
      return
    }
    let value = try list.bytes.integer(at: object.content, byteCount: byteCount)
    append(byteCount == 8 ? String(Int64(bitPattern: value)) : String(value))
  }

  private func double(_ object: BinaryPropertyList.Object) throws -> Double {
    guard object.count == 2 || object.count == 3 else { throw unknown(object) }
    let byteCount = 1 << Int(object.count)
    try list.check(object, byteCount: Int64(byteCount))
    let bits = try list.bytes.integer(at: object.content, byteCount: byteCount)
    return byteCount == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private mutating func appendReal(_ object: BinaryPropertyList.Object) throws {
    DecimalLiteral.append(try double(object), to: &tokenizer.batch)
  }

  private mutating func appendDate(_ object: BinaryPropertyList.Object) throws {
    guard object.count == 3 else { throw unknown(object) }
    guard let text = PropertyListDate.text(secondsSince2001: try double(object)) else {
      throw list.failure("a date that no calendar has", at: object.start)
    }
    append(text)
  }

  /// The number that stands for an object in a keyed archive.
  private mutating func appendIdentifier(_ object: BinaryPropertyList.Object) throws {
    let byteCount = object.count + 1
    guard byteCount <= 8 else { throw unknown(object) }
    try list.check(object, byteCount: byteCount)
    append(String(try list.bytes.integer(at: object.content, byteCount: Int(byteCount))))
  }

  // MARK: Texts and data

  private static let longest = Int64(InputLimits.rowBytes)

  /// Appends a string in UTF-8.
  mutating func appendString(_ object: BinaryPropertyList.Object) throws {
    let unitByteCount: Int64 = object.type == 6 ? 2 : 1
    try list.check(object, byteCount: object.count * unitByteCount)
    guard object.count <= BinaryPropertyListWalk.longest else {
      throw ObjectFailure.limit(.tooLong(what: "a value", limit: InputLimits.rowBytes))
    }
    var decoder = UTF16Decoder()
    try forEachPiece(object.content, object.count * unitByteCount) { walk, offset, count in
      for index in stride(from: 0, to: count, by: Int(unitByteCount)) {
        if unitByteCount == 2 {
          let unit = UInt16(walk.buffer[index]) << 8 | UInt16(walk.buffer[index + 1])
          guard let scalar = decoder.take(unit) else { continue }
          try walk.append(scalar, at: offset + Int64(index))
        } else {
          try walk.append(ascii: walk.buffer[index], at: offset + Int64(index))
        }
      }
    }
    guard !decoder.isInPair else { throw halfCharacter(at: object.start) }
  }

  private func halfCharacter(at offset: Int64) -> InputError {
    list.failure("half a character of UTF-16", at: offset)
  }

  private mutating func append(_ scalar: UTF16Decoder.Scalar, at offset: Int64) throws {
    guard case .scalar(let scalar) = scalar else { throw halfCharacter(at: offset) }
    guard scalar.value != 0 else { throw nul(at: offset) }
    for byte in UTF8.encode(scalar) ?? .init() { tokenizer.batch.append(byte: byte) }
  }

  private mutating func append(ascii byte: UInt8, at offset: Int64) throws {
    guard byte != 0 else { throw nul(at: offset) }
    guard byte < 0x80 else { throw list.failure("a string that is not ASCII", at: offset) }
    tokenizer.batch.append(byte: byte)
  }

  private func nul(at offset: Int64) -> InputError {
    list.failure(
      "a string has a NUL character, at which SQLite's functions end a text", at: offset)
  }

  private mutating func appendData(_ object: BinaryPropertyList.Object) throws {
    try list.check(object, byteCount: object.count)
    guard Int64(Base64.encodedCount(Int(object.count))) <= BinaryPropertyListWalk.longest else {
      throw ObjectFailure.limit(.tooLong(what: "a value", limit: InputLimits.rowBytes))
    }
    try forEachPiece(object.content, object.count) { walk, _, count in
      let encodedCount = Base64.encodedCount(count)
      walk.tokenizer.batch.reserve(encodedCount)
      Base64.encode(
        UnsafeBufferPointer(start: walk.buffer, count: count),
        into: walk.tokenizer.batch.bytes + walk.tokenizer.batch.byteCount)
      walk.tokenizer.batch.byteCount += encodedCount
    }
  }

  /// Copies some bytes to the buffer, as many at a time as it has room for.
  private mutating func forEachPiece(
    _ start: Int64, _ byteCount: Int64,
    _ body: (inout BinaryPropertyListWalk, _ offset: Int64, _ count: Int) throws -> Void
  ) throws {
    var offset = start
    while offset < start + byteCount {
      let count = Int(
        min(start + byteCount - offset, Int64(BinaryPropertyListWalk.bufferByteCount)))
      try list.bytes.copy(offset, count, to: buffer)
      try body(&self, offset, count)
      offset += Int64(count)
    }
  }
}

/// Puts the halves of characters together.
struct UTF16Decoder {
  private var high: UInt16?

  /// A character, or half of one.
  enum Scalar {
    case scalar(Unicode.Scalar)
    case half
  }

  /// Whether the first half of a character waits for the second.
  var isInPair: Bool { high != nil }

  /// Takes a unit; nil when it is the first half of a character.
  mutating func take(_ unit: UInt16) -> Scalar? {
    defer { high = unit & 0xFC00 == 0xD800 && high == nil ? unit : nil }
    if let high {
      guard unit & 0xFC00 == 0xDC00 else { return .half }
      let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
      return Unicode.Scalar(value).map { .scalar($0) } ?? .half
    }
    if unit & 0xFC00 == 0xD800 { return nil }
    return Unicode.Scalar(unit).map { .scalar($0) } ?? .half
  }
}

/// An integer of 128 bits.
struct WideInteger {
  var high: Int64
  var low: UInt64

  /// Its decimal digits, with a sign if it is negative.
  var digits: String {
    var upper = UInt64(bitPattern: high)
    var lower = low
    if high < 0 {
      let (sum, carry) = (~lower).addingReportingOverflow(1)
      lower = sum
      upper = ~upper &+ (carry ? 1 : 0)
    }
    // Nineteen digits at a time: ten to the power of nineteen has 64 bits.
    var pieces: [UInt64] = []
    let unit: UInt64 = 10_000_000_000_000_000_000
    while upper > 0 {
      let (quotient, rest) = upper.quotientAndRemainder(dividingBy: unit)
      let (lowerQuotient, lowerRest) = unit.dividingFullWidth((rest, lower))
      pieces.append(lowerRest)
      upper = quotient
      lower = lowerQuotient
    }
    let tail = pieces.reversed().map { piece in
      let text = String(piece)
      return String(repeating: "0", count: 19 - text.count) + text
    }.joined()
    return (high < 0 ? "-" : "") + String(lower) + tail
  }
}
