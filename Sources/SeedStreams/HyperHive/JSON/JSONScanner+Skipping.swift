extension JSONScanner {
  /// Takes `true`, `false` or `null`.
  ///
  /// - Returns: Its first byte.
  internal mutating func word() throws -> UInt8 {
    let first = try peek()
    let rest: StaticString
    switch first {
    case UInt8(ascii: "t"): rest = "true"
    case UInt8(ascii: "f"): rest = "false"
    case UInt8(ascii: "n"): rest = "null"
    default: throw problem(.unexpected(found: name(of: first), expected: "a value"))
    }
    for index in 0..<rest.utf8CodeUnitCount {
      guard let byte = try peekByte() else { throw problem(.endsEarly) }
      guard byte == rest.utf8Start[index] else {
        throw problem(.unexpected(found: name(of: byte), expected: "\"\(rest)\""))
      }
      position += 1
    }
    return first
  }

  /// Passes over a value of any kind and size.
  internal mutating func skipValue() throws {
    // One bit for each open bracket: whether it is that of an object.
    var isObject: [Bool] = []
    while true {
      switch try peek() {
      case UInt8(ascii: "["):
        guard isObject.count < Self.depthLimit else { throw problem(.tooDeep) }
        position += 1
        guard try peek() == UInt8(ascii: "]") else {
          isObject.append(false)
          continue
        }
        position += 1
      case UInt8(ascii: "{"):
        guard isObject.count < Self.depthLimit else { throw problem(.tooDeep) }
        position += 1
        guard try peek() == UInt8(ascii: "}") else {
          isObject.append(true)
          try skipName()
          continue
        }
        position += 1
      default: try skipScalar()
      }
      // A value is done, and with it perhaps the lists around it.
      while let inObject = isObject.last {
        if try takesNext(before: inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if inObject { try skipName() }
          break
        }
        isObject.removeLast()
      }
      if isObject.isEmpty { return }
    }
  }

  private mutating func skipName() throws {
    guard try peek() == UInt8(ascii: "\"") else {
      throw problem(.unexpected(found: try name(of: peek()), expected: "the name of a member"))
    }
    try skipScalar()
    try take(UInt8(ascii: ":"), "a colon")
  }

  private mutating func skipScalar() throws {
    let outer = mark
    if outer < 0 { mark = position }
    switch try peek() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
    default: _ = try word()
    }
    if outer < 0 { mark = -1 }
  }
}
