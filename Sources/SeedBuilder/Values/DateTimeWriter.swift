/// Writes the fields of a date or a date-time as ISO 8601 text that SQLite's functions read.
enum DateTimeWriter {
  /// The most bytes ever written.
  static let maximumCount = 40

  /// Writes the fields and says how many bytes they take, or nil when the zone lacks that time.
  ///
  /// Seconds and fraction are written as far as the text had them. A zone is written as `Z` or
  /// `±hh:mm`; a date-time without one is converted from `timeZone` to UTC if that is given.
  /// - Parameter bytes: The text that the fields were read from.
  @inline(__always)
  static func write(
    _ fields: DateTimeFields, of bytes: UnsafePointer<UInt8>, timeZone: TimeZoneRule?,
    into output: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    guard fields.hasTime else {
      writeDate(fields, into: output)
      return 10
    }
    guard fields.zone == .none, let timeZone else {
      return writeDateTime(fields, of: bytes, into: output)
    }
    guard let converted = utc(fields, from: timeZone) else { return nil }
    return writeDateTime(converted, of: bytes, into: output)
  }

  /// The same instant in UTC, or nil when the zone skips it or the year leaves 0 to 9999.
  static func utc(_ fields: DateTimeFields, from timeZone: TimeZoneRule) -> DateTimeFields? {
    let days = CalendarDate.days(year: fields.year, month: fields.month, day: fields.day)
    let time = Int64(fields.hour * 3600 + fields.minute * 60 + fields.second)
    guard let seconds = timeZone.utcSeconds(fromLocal: days * CalendarDate.secondsPerDay + time)
    else { return nil }
    let timeOfDay = seconds % CalendarDate.secondsPerDay
    let second = Int(timeOfDay < 0 ? timeOfDay + CalendarDate.secondsPerDay : timeOfDay)
    var result = fields
    (result.year, result.month, result.day) = CalendarDate.date(
      days: (seconds - Int64(second)) / CalendarDate.secondsPerDay)
    guard result.year >= 0, result.year <= 9999 else { return nil }
    result.hour = second / 3600
    result.minute = second / 60 % 60
    result.second = second % 60
    // The mean solar times before standard time differ from UTC by odd seconds.
    result.hasSeconds = fields.hasSeconds || result.second != 0
    result.zone = .utc
    return result
  }

  @inline(__always)
  private static func put(
    twoDigits number: Int, _ output: UnsafeMutablePointer<UInt8>, _ index: Int
  ) {
    let tens = number / 10
    output[index] = UInt8(truncatingIfNeeded: tens &+ 48)
    output[index &+ 1] = UInt8(truncatingIfNeeded: number &- tens &* 10 &+ 48)
  }

  @inline(__always)
  private static func writeDate(
    _ fields: DateTimeFields, into output: UnsafeMutablePointer<UInt8>
  ) {
    put(twoDigits: fields.year / 100, output, 0)
    put(twoDigits: fields.year % 100, output, 2)
    output[4] = UInt8(ascii: "-")
    put(twoDigits: fields.month, output, 5)
    output[7] = UInt8(ascii: "-")
    put(twoDigits: fields.day, output, 8)
  }

  private static func writeDateTime(
    _ fields: DateTimeFields, of bytes: UnsafePointer<UInt8>,
    into output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    writeDate(fields, into: output)
    output[10] = UInt8(ascii: "T")
    put(twoDigits: fields.hour, output, 11)
    output[13] = UInt8(ascii: ":")
    put(twoDigits: fields.minute, output, 14)
    var end = 16
    if fields.hasSeconds {
      output[16] = UInt8(ascii: ":")
      put(twoDigits: fields.second, output, 17)
      end = 19
    }
    if fields.fractionCount > 0 {
      output[end] = UInt8(ascii: ".")
      (output + (end + 1)).update(from: bytes + fields.fractionStart, count: fields.fractionCount)
      end += 1 + fields.fractionCount
    }
    switch fields.zone {
    case .none: return end
    case .utc:
      output[end] = UInt8(ascii: "Z")
      return end + 1
    case .colon, .basic, .spacedBasic:
      let zone = bytes + fields.zoneStart
      (output + end).update(from: zone, count: 3)
      output[end + 3] = UInt8(ascii: ":")
      (output + (end + 4)).update(from: zone + (fields.zone == .colon ? 4 : 3), count: 2)
      return end + 6
    }
  }
}
