internal import SeedModel

/// A kind of value in an XML property list, and how it is written.
enum PropertyListValue: String {
  case string, integer, real, date, data
  case `true`
  case `false`

  /// The kind that an element's name says.
  init?(elementName: String) {
    self.init(rawValue: elementName)
  }

  /// What to write instead of a value that is none.
  var hint: String? {
    switch self {
    case .string: nil
    case .integer: "write digits, or 0x and hexadecimal digits"
    case .real: "write a number such as 12.5 or 1e3"
    case .date: "write it in UTC, such as 2010-01-16T10:00:00Z"
    case .data: "see whether it is cut off"
    case .true, .false: "the element itself is the value"
    }
  }

  /// Appends a value in the form that it goes on in; false when it is not written as it must be.
  ///
  /// - Parameters:
  ///   - text: The element's text; that of strings and data is in the batch already.
  ///   - start: Where in the batch's bytes it starts.
  ///   - batch: Takes the form.
  /// - Returns: Whether the text is a value of this kind.
  func append(_ text: [UInt8], from start: Int, to batch: inout TokenBatch) -> Bool {
    let trimmed = PropertyListValue.trimmed(text)
    switch self {
    case .string: return true
    case .data:
      let count = batch.byteCount - start
      return Base64.isCanonical(UnsafeBufferPointer(start: batch.bytes + start, count: count))
    case .true, .false:
      for byte in rawValue.utf8 { batch.append(byte: byte) }
      return trimmed.isEmpty
    case .date:
      for byte in trimmed { batch.append(byte: byte) }
      return PropertyListValue.isDate(trimmed)
    case .integer: return PropertyListValue.appendInteger(trimmed, to: &batch)
    case .real: return PropertyListValue.appendReal(trimmed, to: &batch)
    }
  }

  private static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
    let end = text.lastIndex { !XMLName.isBlank($0) }.map { $0 + 1 } ?? 0
    return text[..<end].drop(while: XMLName.isBlank)
  }

  /// `yyyy-MM-ddTHH:mm:ssZ`, perhaps with a fraction of a second; the builder looks at the numbers.
  private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
    let pattern = Array("0000-00-00T00:00:00".utf8)
    guard text.count > pattern.count, text.last == UInt8(ascii: "Z") else { return false }
    for (byte, model) in zip(text, pattern) {
      guard model == UInt8(ascii: "0") ? isDigit(byte) : byte == model else { return false }
    }
    let fraction = text.dropFirst(pattern.count).dropLast()
    if fraction.isEmpty { return true }
    return fraction.count > 1 && fraction.first == UInt8(ascii: ".")
      && fraction.dropFirst().allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  private static func isSign(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }

  // MARK: Numbers

  private static func appendInteger(
    _ text: ArraySlice<UInt8>, to batch: inout TokenBatch
  ) -> Bool {
    let isNegative = text.first == UInt8(ascii: "-")
    let unsigned = isSign(text.first) ? text.dropFirst() : text
    let isHexadecimal =
      unsigned.count > 2 && unsigned.first == UInt8(ascii: "0")
      && unsigned[unsigned.startIndex + 1] | 0x20 == UInt8(ascii: "x")
    var digits = unsigned
    if isHexadecimal {
      guard
        let value = UInt64(String(decoding: unsigned.dropFirst(2), as: UTF8.self), radix: 16),
        !isSign(unsigned.dropFirst(2).first)
      else { return false }
      digits = Array(String(value).utf8)[...]
    }
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return false }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    if significant.isEmpty {
      batch.append(byte: UInt8(ascii: "0"))
      return true
    }
    if isNegative { batch.append(byte: UInt8(ascii: "-")) }
    for byte in significant { batch.append(byte: byte) }
    return true
  }

  private static func appendReal(_ text: ArraySlice<UInt8>, to batch: inout TokenBatch) -> Bool {
    if let word = infinity(text) {
      for byte in word.utf8 { batch.append(byte: byte) }
      return true
    }
    guard let literal = literal(text) else { return false }
    literal.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress {
        DecimalLiteral.append(base, count: bytes.count, to: &batch)
      }
    }
    return true
  }

  /// The words that stand for no number.
  private static func infinity(_ text: ArraySlice<UInt8>) -> String? {
    switch String(decoding: text, as: UTF8.self).lowercased() {
    case "nan", "+nan", "-nan": "nan"
    case "inf", "+inf", "infinity", "+infinity": "inf"
    case "-inf", "-infinity": "-inf"
    default: nil
    }
  }

  /// The number as JSON writes it: no `+` before it, a digit on either side of the point.
  private static func literal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = isSign(text.first) ? text.dropFirst() : text
    var result: [UInt8] = text.first == UInt8(ascii: "-") ? [UInt8(ascii: "-")] : []
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    result += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
    if !fraction.isEmpty { result += [UInt8(ascii: ".")] + fraction }
    guard let mark = rest.first else { return result }
    let exponent = rest.dropFirst()
    let digits = isSign(exponent.first) ? exponent.dropFirst() : exponent
    guard mark | 0x20 == UInt8(ascii: "e"), !digits.isEmpty, digits.allSatisfy(isDigit) else {
      return nil
    }
    return result + [UInt8(ascii: "e")] + exponent
  }
}
