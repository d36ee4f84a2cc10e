/// A binary property list put together by hand, object by object, right or wrong.
struct BinaryList {
  /// The bytes of each object.
  var objects: [[UInt8]]
  var top: UInt64 = 0
  var offsetByteCount = 2
  var referenceByteCount = 1
  /// Offsets that are written instead of the right ones.
  var offsets: [Int: UInt64] = [:]
  var objectCount: UInt64?
  var tableStart: UInt64?
  var version = "00"

  init(_ objects: [[UInt8]]) {
    self.objects = objects
  }

  /// A list that is a dictionary with one member `v`.
  init(value: [UInt8]) {
    self.init([[0xD1, 1, 2], BinaryList.string("v"), value])
  }

  var bytes: [UInt8] {
    var result = Array("bplist\(version)".utf8)
    var table: [UInt8] = []
    for (index, object) in objects.enumerated() {
      let offset = offsets[index] ?? UInt64(result.count)
      table += BinaryList.bigEndian(offset, offsetByteCount)
      result += object
    }
    let start = tableStart ?? UInt64(result.count)
    result += table
    result += [0, 0, 0, 0, 0, 0, UInt8(offsetByteCount), UInt8(referenceByteCount)]
    result += BinaryList.bigEndian(objectCount ?? UInt64(objects.count), 8)
    return result + BinaryList.bigEndian(top, 8) + BinaryList.bigEndian(start, 8)
  }

  static func bigEndian(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  /// A type with a count, which stands behind it when it is 15 or more.
  static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
    if count < 15 { return [type << 4 | UInt8(count)] }
    return [type << 4 | 0xF, 0x12] + bigEndian(UInt64(count), 4)
  }

  static func string(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return head(5, text.utf8.count) + Array(text.utf8) }
    let units = Array(text.utf16)
    return head(6, units.count) + units.flatMap { bigEndian(UInt64($0), 2) }
  }

  static func data(_ bytes: [UInt8]) -> [UInt8] { head(4, bytes.count) + bytes }

  static func real(_ value: Double) -> [UInt8] { [0x23] + bigEndian(value.bitPattern, 8) }

  static func date(_ seconds: Double) -> [UInt8] { [0x33] + bigEndian(seconds.bitPattern, 8) }

  static func array(_ references: [UInt8], type: UInt8 = 0xA) -> [UInt8] {
    head(type, references.count) + references
  }

  static func dictionary(_ keys: [UInt8], _ values: [UInt8]) -> [UInt8] {
    head(0xD, keys.count) + keys + values
  }
}
