#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Times as a head has them: RFC 3339 in UTC with whole seconds, such as `2026-09-21T06:00:00Z`.
package enum UTCTime {
  /// The time by the system's clock, in seconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  /// Writes a time.
  ///
  /// - Parameter seconds: Seconds since 1970.
  /// - Returns: The time as text.
  package static func text(_ seconds: Int64) -> String {
    let days = (seconds >= 0 ? seconds : seconds - 86399) / 86400
    let rest = seconds - days * 86400
    // Days since 1970 to a date in the Gregorian calendar, with years counted from March.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }

  /// Reads a time that ``text(_:)`` has written.
  ///
  /// - Parameter text: The time.
  /// - Returns: Seconds since 1970; nil if it is written in another way.
  package static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    let marks: [Int: UInt8] = [
      4: UInt8(ascii: "-"), 7: UInt8(ascii: "-"), 10: UInt8(ascii: "T"), 13: UInt8(ascii: ":"),
      16: UInt8(ascii: ":"), 19: UInt8(ascii: "Z"),
    ]
    for (index, byte) in bytes.enumerated() {
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard marks[index].map({ $0 == byte }) ?? digits.contains(byte) else { return nil }
    }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
    let (month, day) = (number(5..<7), number(8..<10))
    let clock = (number(11..<13), number(14..<16), number(17..<19))
    guard (1...12).contains(month), (1...31).contains(day), clock.0 < 24, clock.1 < 60,
      clock.2 < 61
    else { return nil }
    let year = number(0..<4) - (month <= 2 ? 1 : 0)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let yearOfEra = year % 400
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = year / 400 * 146_097 + dayOfEra - 719_468
    return days * 86400 + clock.0 * 3600 + clock.1 * 60 + clock.2
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
