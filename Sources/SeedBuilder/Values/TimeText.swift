/// Reads `HH:mm[:ss[.fraction]]` and a zone at the end of a text.
enum TimeText {
  /// The number of two digits, or a number above 99 when they are not digits.
  @inline(__always)
  static func twoDigits(_ bytes: UnsafePointer<UInt8>) -> Int {
    let tens = bytes[0] &- UInt8(ascii: "0")
    let ones = bytes[1] &- UInt8(ascii: "0")
    guard tens <= 9, ones <= 9 else { return 1000 }
    return Int(tens) &* 10 &+ Int(ones)
  }

  /// Reads from `start` up to the end into the fields; false when it is not a time.
  ///
  /// No leap second and no 24:00: SQLite's functions read neither as the instant meant.
  @inline(__always)
  static func read(
    _ bytes: UnsafePointer<UInt8>, from start: Int, _ count: Int, into fields: inout DateTimeFields
  ) -> Bool {
    guard count &- start >= 5, bytes[start &+ 2] == UInt8(ascii: ":") else { return false }
    fields.hour = twoDigits(bytes + start)
    fields.minute = twoDigits(bytes + (start &+ 3))
    guard fields.hour <= 23, fields.minute <= 59 else { return false }
    fields.hasTime = true
    var index = start &+ 5
    if count &- index >= 3, bytes[index] == UInt8(ascii: ":") {
      fields.second = twoDigits(bytes + (index &+ 1))
      guard fields.second <= 59 else { return false }
      fields.hasSeconds = true
      index &+= 3
      if index < count, bytes[index] == UInt8(ascii: ".") {
        index &+= 1
        fields.fractionStart = index
        while index < count, bytes[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 }
        fields.fractionCount = index &- fields.fractionStart
        guard fields.fractionCount >= 1, fields.fractionCount <= 9 else { return false }
      }
    }
    return index == count || readZone(bytes, from: index, count, into: &fields)
  }

  /// Reads `Z`, `±hh:mm`, `±hhmm` or a space and `±hhmm` from `start` up to the end.
  ///
  /// SQLite's functions know zones up to 14:59 from UTC.
  static func readZone(
    _ bytes: UnsafePointer<UInt8>, from start: Int, _ count: Int, into fields: inout DateTimeFields
  ) -> Bool {
    var index = start
    let isSpaced = bytes[index] == UInt8(ascii: " ")
    if isSpaced { index += 1 }
    fields.zoneStart = index
    switch count - index {
    case 1:
      guard !isSpaced, bytes[index] == UInt8(ascii: "Z") else { return false }
      fields.zone = .utc
      return true
    case 5:
      fields.zone = isSpaced ? .spacedBasic : .basic
    case 6:
      guard !isSpaced, bytes[index + 3] == UInt8(ascii: ":") else { return false }
      fields.zone = .colon
    default:
      return false
    }
    guard bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") else {
      return false
    }
    return twoDigits(bytes + (index + 1)) <= 14 && twoDigits(bytes + (count - 2)) <= 59
  }
}
