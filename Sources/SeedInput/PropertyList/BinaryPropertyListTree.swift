internal import SeedModel

/// Makes a value of a binary property list, from the outermost object in.
struct BinaryPropertyListTree {
  private let list: BinaryPropertyList
  /// The objects that are open, so that none is met inside itself.
  private var open: Set<UInt64> = []
  /// How many bytes were gone through, an object counting each time.
  private var expandedByteCount: Int64 = 0

  init(_ list: BinaryPropertyList) {
    self.list = list
  }

  /// The outermost object with all that is in it.
  ///
  /// - Throws: ``InputError``.
  mutating func read() throws -> PropertyList {
    try value(list.topObject)
  }

  private mutating func value(_ number: UInt64) throws -> PropertyList {
    let object = try list.object(number)
    switch object.type {
    case 0x0: return try singular(object)
    case 0x1: return .integer(try integer(object))
    case 0x2: return .real(try double(object))
    case 0x3:
      guard object.count == 3 else { throw unknown(object) }
      return .date(try double(object))
    case 0x4: return .data(try bytes(object, count: object.count))
    case 0x5, 0x6: return .string(try text(object))
    case 0x8: return .identifier(try identifier(object))
    case 0xA, 0xB, 0xC, 0xD: return try container(object, number)
    default: throw unknown(object)
    }
  }

  private func unknown(_ object: BinaryPropertyList.Object) -> InputError {
    let mark = String(object.type << 4 | UInt8(truncatingIfNeeded: object.count), radix: 16)
    return list.failure("an object of the unknown type 0x\(mark)", at: object.start)
  }

  // MARK: Containers

  private mutating func container(
    _ object: BinaryPropertyList.Object, _ number: UInt64
  ) throws -> PropertyList {
    let size = Int64(list.referenceByteCount)
    let isDictionary = object.type == 0xD
    let byteCount = object.count * size * (isDictionary ? 2 : 1)
    try list.check(object, byteCount: byteCount)
    try count(byteCount)
    guard open.count < InputLimits.depth else { throw list.failure(.valuesTooDeep) }
    guard open.insert(number).inserted else {
      throw list.failure("object \(number) is inside itself", at: object.start)
    }
    defer { open.remove(number) }
    guard isDictionary else {
      var elements: [PropertyList] = []
      for index in 0..<object.count {
        elements.append(try value(try list.reference(at: object.content + index * size)))
      }
      return .array(elements)
    }
    var members: [String: PropertyList] = [:]
    for index in 0..<object.count {
      let position = object.content + index * size
      guard case .string(let key) = try value(try list.reference(at: position)) else {
        throw list.failure("a key that is no string", at: object.start)
      }
      let member = try value(try list.reference(at: position + object.count * size))
      guard members.updateValue(member, forKey: key) == nil else {
        throw list.failure("a dictionary has the key \"\(key)\" twice", at: object.start)
      }
    }
    return .dictionary(members)
  }

  /// Fails when shared objects are met so often that the list expands beyond all bounds.
  private mutating func count(_ byteCount: Int64) throws {
    expandedByteCount += byteCount + 16
    let most =
      list.bytes.count * Int64(InputLimits.sharedValueFactor)
      + Int64(InputLimits.sharedValueAllowance)
    guard expandedByteCount <= most else {
      throw list.failure(
        .malformed(
          "objects that are used again and again expand to more than"
            + " \(InputLimits.sharedValueFactor) times the file's size",
          hint: "write the property list anew without shared objects, if it can be trusted"))
    }
  }

  // MARK: Values

  private mutating func bytes(
    _ object: BinaryPropertyList.Object, count: Int64
  ) throws -> [UInt8] {
    try list.check(object, byteCount: count)
    try self.count(count)
    return try [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      if let base = buffer.baseAddress, count > 0 {
        try list.bytes.copy(object.content, Int(count), to: base)
      }
      filled = Int(count)
    }
  }

  private mutating func number(
    _ object: BinaryPropertyList.Object, byteCount: Int
  ) throws -> UInt64 {
    try list.check(object, byteCount: Int64(byteCount))
    try count(Int64(byteCount))
    return try list.bytes.integer(at: object.content, byteCount: byteCount)
  }

  private func singular(_ object: BinaryPropertyList.Object) throws -> PropertyList {
    switch object.count {
    case 0x8: return .boolean(false)
    case 0x9: return .boolean(true)
    default: throw unknown(object)
    }
  }

  private mutating func integer(_ object: BinaryPropertyList.Object) throws -> Int64 {
    // Those of 16 bytes are beyond 64 bits.
    guard object.count <= 3 else { throw unknown(object) }
    return Int64(bitPattern: try number(object, byteCount: 1 << Int(object.count)))
  }

  private mutating func double(_ object: BinaryPropertyList.Object) throws -> Double {
    guard object.count == 2 || object.count == 3 else { throw unknown(object) }
    let bits = try number(object, byteCount: 1 << Int(object.count))
    return object.count == 2
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private mutating func identifier(_ object: BinaryPropertyList.Object) throws -> UInt64 {
    guard object.count < 8 else { throw unknown(object) }
    return try number(object, byteCount: Int(object.count) + 1)
  }

  private mutating func text(_ object: BinaryPropertyList.Object) throws -> String {
    if object.type == 0x5 {
      let bytes = try bytes(object, count: object.count)
      guard bytes.allSatisfy({ $0 < 0x80 }) else {
        throw list.failure("a string that is not ASCII", at: object.start)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let bytes = try bytes(object, count: object.count * 2)
    var result = String.UnicodeScalarView()
    var decoder = UTF16Decoder()
    for index in stride(from: 0, to: bytes.count, by: 2) {
      let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      guard let scalar = decoder.take(unit) else { continue }
      guard case .scalar(let scalar) = scalar else { throw halfCharacter(object) }
      result.append(scalar)
    }
    guard !decoder.isInPair else { throw halfCharacter(object) }
    return String(result)
  }

  private func halfCharacter(_ object: BinaryPropertyList.Object) -> InputError {
    list.failure("half a character of UTF-16", at: object.start)
  }
}

extension BinaryPropertyList {
  /// An error about the list as a whole.
  fileprivate func failure(_ reason: InputError.Reason) -> InputError {
    var error = failure("", at: nil)
    error.reason = reason
    return error
  }
}
