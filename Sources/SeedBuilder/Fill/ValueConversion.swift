internal import SeedModel

/// Turns the text of a source into the value that a column declares.
package struct ValueConversion {
  /// How values are read.
  enum Rule {
    /// Exactly the text.
    case text
    case integer
    case real
    /// A number that loses none of its digits.
    case decimal
    case boolean
    case date(DateReading)
    case dateTime(DateReading)
    case blob(isHexadecimal: Bool)
    /// A text that SQLite's NUMERIC affinity leaves as it is, or a number it keeps exactly.
    case numericAffinity
    /// What the inference found out.
    case inferred(ColumnConverter)
  }

  /// What became of a value.
  enum Outcome: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case sameText
    case scratchText(count: Int)
    case blob([UInt8])
    /// The value does not fit, as the words say that follow it in a message.
    case misfit(String, hint: String?)
  }

  var rule: Rule
  /// Whether an empty text is a value, and not the lack of one.
  var keepsEmptyText = false
  /// Whether numbers are written as ``DecimalComma`` has them.
  var hasDecimalComma = false

  /// Converts one value; `scratch` has room for ``ColumnConverter/scratchSize`` bytes.
  mutating func convert(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    if count == 0, !keepsEmptyText {
      guard case .inferred = rule else { return .null }
    }
    guard hasDecimalComma else { return convertPlain(bytes, count, into: scratch) }
    guard let number = DecimalComma.pointed(UnsafeBufferPointer(start: bytes, count: count)) else {
      return .misfit("is not a number with a decimal comma", hint: ValueConversion.otherwise)
    }
    return number.withUnsafeBufferPointer { text in
      text.baseAddress.map { convertPlain($0, text.count, into: scratch) } ?? .null
    }
  }

  private mutating func convertPlain(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into scratch: UnsafeMutablePointer<UInt8>
  ) -> Outcome {
    switch rule {
    case .text: return .sameText
    case .integer: return ValueConversion.integer(bytes, count)
    case .real: return ValueConversion.real(bytes, count)
    case .decimal: return ValueConversion.decimal(bytes, count)
    case .boolean: return ValueConversion.boolean(bytes, count)
    case .date(let reading): return reading.convert(bytes, count, allowsTime: false, into: scratch)
    case .dateTime(let reading):
      return reading.convert(bytes, count, allowsTime: true, into: scratch)
    case .blob(let isHexadecimal):
      return ValueConversion.blob(bytes, count, isHexadecimal: isHexadecimal)
    case .numericAffinity: return ValueConversion.numericAffinity(bytes, count)
    case .inferred(var converter):
      let value = converter.convert(bytes, count, into: scratch)
      rule = .inferred(converter)
      if value == .base64 { return ValueConversion.blob(bytes, count, isHexadecimal: false) }
      return ValueConversion.outcome(of: value)
    }
  }

  private static func outcome(of value: ConvertedValue) -> Outcome {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .sameText: .sameText
    case .scratchText(let count): .scratchText(count: count)
    case .contradiction, .base64:
      .misfit("is not what the other values of its column are", hint: nil)
    }
  }

  // MARK: Types

  private static func integer(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    if let number = IntegerText.parse(bytes, count) { return .integer(number) }
    let digits = UnsafeBufferPointer(start: bytes, count: count)
    let isNumber = digits.enumerated().allSatisfy { index, byte in
      byte &- UInt8(ascii: "0") <= 9
        || index == 0 && count > 1 && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
    }
    guard isNumber else {
      return .misfit("is not an integer", hint: ValueConversion.otherwise)
    }
    if IntegerText.parse(bytes + 1, count - 1) != nil || bytes[0] == UInt8(ascii: "0") {
      return .misfit(
        "would change as an integer", hint: "declare the column as TEXT to keep it as it is")
    }
    return .misfit(
      "does not fit into an integer of 64 bits", hint: "declare the column as TEXT")
  }

  private static func real(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    guard DecimalText(bytes, count) != nil || IntegerText.parse(bytes, count) != nil,
      let number = Double(text(bytes, count)), number.isFinite
    else { return .misfit("is not a number", hint: numberHint(bytes, count)) }
    if let change = RealText.change(of: UnsafeBufferPointer(start: bytes, count: count), number) {
      return .misfit(
        "\(change) as a REAL",
        hint: "declare the column as INTEGER or TEXT to keep it as it is")
    }
    return .real(number)
  }

  /// What to do with a value of another type.
  private static let otherwise =
    "correct it, declare the column as TEXT, or name it a text for NULL"

  private static func numberHint(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    let hasComma = UnsafeBufferPointer(start: bytes, count: count).contains(UInt8(ascii: ","))
    return hasComma
      ? "say \"format\": \"\(DecimalComma.name)\" of the column in seed.json, or declare it as TEXT"
      : otherwise
  }

  private static func decimal(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    if let number = IntegerText.parse(bytes, count) { return .integer(number) }
    guard let decimal = DecimalText(bytes, count) else {
      return .misfit("is not a number", hint: numberHint(bytes, count))
    }
    guard let number = decimal.exactValue(bytes, count) else {
      return .misfit(
        "has more digits than a number keeps", hint: "declare the column as TEXT to keep them")
    }
    return .real(number)
  }

  private static let booleanWords: [String: Int64] = [
    "true": 1, "false": 0, "yes": 1, "no": 0, "t": 1, "f": 0, "y": 1, "n": 0, "1": 1, "0": 0,
    "on": 1, "off": 0,
  ]

  /// The truth value that a word is, in any case; nil for another word.
  package static func truth(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    if count == 1, bytes[0] | 1 == UInt8(ascii: "1") { return Int64(bytes[0] & 1) }
    return count <= 5 ? booleanWords[text(bytes, count).lowercased()] : nil
  }

  private static func boolean(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    guard let value = truth(bytes, count) else {
      return .misfit("is not a boolean", hint: "write true or false, yes or no, 1 or 0")
    }
    return .integer(value)
  }

  private static func blob(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, isHexadecimal: Bool
  ) -> Outcome {
    let text = UnsafeBufferPointer(start: bytes, count: count)
    if isHexadecimal {
      return BinaryText.hexadecimal(text).map { .blob($0) }
        ?? .misfit("is no data in hexadecimal digits", hint: nil)
    }
    return Base64.bytes(of: text).map { .blob($0) } ?? .misfit("is no data in base64", hint: nil)
  }

  /// Affinity turns a text that looks like a number into one (sqlite.org/datatype3.html, 3).
  private static func numericAffinity(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Outcome {
    if let number = IntegerText.parse(bytes, count) { return .integer(number) }
    let trimmed = text(bytes, count).split(separator: " ").joined()
    guard Double(trimmed) != nil, trimmed.utf8.first.map({ $0 < UInt8(ascii: "A") }) == true else {
      return .sameText
    }
    // What says "e" in a column of a type that SQLite does not know, such as UUID, need not be meant
    // as a number; what is meant so goes into a column that is declared as one.
    let isPlain = !trimmed.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    if isPlain, let number = DecimalText(bytes, count)?.exactValue(bytes, count) {
      return .real(number)
    }
    return .misfit(
      isPlain
        ? "would become another number in a column of this type"
        : "would become a number in a column of this type",
      hint: isPlain
        ? "declare the column as TEXT to keep it as it is"
        : "declare the column as TEXT to keep it as it is, or as NUMERIC if it is a number")
  }

  private static func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
