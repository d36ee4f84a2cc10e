/// Writes JSON without blanks into bytes, for files that programs read.
///
/// Only what RFC 8259 demands is escaped, so that the same text always gives the same bytes.
package enum JSONBytes {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Adds a text as a string.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8.
  ///   - bytes: What the string is added to.
  /// - Returns: False if the text is not UTF-8; part of it may then be added.
  package static func appendString(
    _ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) -> Bool {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte >= 0x80 {
        guard let length = sequenceLength(at: index, of: text) else { return false }
        index += length
        continue
      }
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
      appendEscaped(byte, to: &bytes)
      index += 1
      start = index
    }
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
    bytes.append(UInt8(ascii: "\""))
    return true
  }

  /// Adds a text as a string.
  package static func appendString(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    // A Swift string is always valid.
    _ = text.withUTF8 { appendString(UnsafeRawBufferPointer($0), to: &bytes) }
  }

  /// Adds a document or a part of one.
  ///
  /// - Precondition: Numbers are finite.
  package static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += Array("null".utf8)
    case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let value): bytes += Array(String(value).utf8)
    case .number(let value):
      precondition(value.isFinite, "JSON has no form for numbers that are not finite")
      bytes += Array(value.description.utf8)
    case .string(let text): appendString(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        appendString(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes += [
        UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), digits[Int(byte >> 4)],
        digits[Int(byte & 15)],
      ]
    }
  }

  /// The length of the character of several bytes that starts at an offset; nil if there is none
  /// (Unicode, table 3-7).
  private static func sequenceLength(at index: Int, of text: UnsafeRawBufferPointer) -> Int? {
    let lead = text[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= text.count, second.contains(text[index + 1]) else { return nil }
    for offset in 2..<max(length, 2) where text[index + offset] & 0xC0 != 0x80 { return nil }
    return length
  }
}
