/// The parts of a date or a date-time, some as numbers and some as places in the text read.
struct DateTimeFields {
  /// How a text names its zone.
  enum Zone: UInt8 {
    case none
    /// `Z`.
    case utc
    /// `±hh:mm` right after the time.
    case colon
    /// `±hhmm` right after the time.
    case basic
    /// `±hhmm` after a space.
    case spacedBasic
  }

  var year = 0
  var month = 0
  var day = 0
  var hasTime = false
  var hasSeconds = false
  var zone = Zone.none
  var hour = 0
  var minute = 0
  var second = 0
  /// Where the digits of the fraction of a second begin.
  var fractionStart = 0
  /// How many digits the fraction has; 0 without one.
  var fractionCount = 0
  /// Where the zone's sign stands.
  var zoneStart = 0
}

extension DateTimeFields {
  /// From 1970 to 2001, in seconds: where Apple's frameworks count from.
  private static let secondsTo2001: Int64 = 978_307_200

  /// Seconds since 2001-01-01 00:00 UTC; nil when the zone lacks that time.
  ///
  /// The bytes are the text that the fields were read from; `timeZone` is that of times, and of
  /// days, that name none.
  func secondsSince2001(of bytes: UnsafePointer<UInt8>, timeZone: TimeZoneRule?) -> Double? {
    let days = CalendarDate.days(year: year, month: month, day: day)
    let local =
      days * CalendarDate.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
    let utc: Int64
    switch zone {
    case .none:
      guard let converted = (timeZone ?? .utc).utcSeconds(fromLocal: local) else { return nil }
      utc = converted
    case .utc: utc = local
    case .colon, .basic, .spacedBasic:
      let digits = bytes + (zoneStart + 1)
      let minutes = TimeText.twoDigits(digits + (zone == .colon ? 3 : 2))
      let offset = Int64(TimeText.twoDigits(digits) * 3600 + minutes * 60)
      utc = bytes[zoneStart] == UInt8(ascii: "-") ? local + offset : local - offset
    }
    let seconds = utc - DateTimeFields.secondsTo2001
    guard fractionCount > 0 else { return Double(seconds) }
    return DateTimeFields.exactSum(
      seconds, UnsafeBufferPointer(start: bytes + fractionStart, count: fractionCount))
  }

  /// The double nearest to a number of seconds and the digits of a fraction of one more.
  private static func exactSum(_ seconds: Int64, _ digits: UnsafeBufferPointer<UInt8>) -> Double {
    // Integers of nine digits and nine decimals: both fit into 64 bits together.
    var scale: Int64 = 1
    var fraction: Int64 = 0
    for digit in digits {
      scale *= 10
      fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: scale)
    let text = scaled + fraction
    // A text is read exactly; a sum of two rounded numbers would be rounded twice.
    guard !overflow else { return Double(seconds) + Double(fraction) / Double(scale) }
    return Double("\(text)e-\(digits.count)") ?? Double(text) / Double(scale)
  }
}
