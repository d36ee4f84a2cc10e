/// The dates of property lists, as ISO 8601 texts in UTC.
enum PropertyListDate {
  /// From 1970-01-01 to 2001-01-01.
  private static let secondsTo2001: Int64 = 978_307_200
  private static let secondsOfDay: Int64 = 86_400
  /// Far more than the years 0 to 9999.
  private static let mostSeconds = 1e12

  /// The text of a date; nil outside of the years 0 to 9999.
  static func text(secondsSince2001 seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < mostSeconds else { return nil }
    var whole = Int64(seconds.rounded(.towardZero)) + secondsTo2001
    var fraction = fractionDigits(of: seconds)
    if seconds < 0, !fraction.isEmpty {
      whole -= 1
      fraction = complement(of: fraction)
    }
    var day = whole / secondsOfDay
    var second = whole % secondsOfDay
    if second < 0 {
      second += secondsOfDay
      day -= 1
    }
    let date = civil(daysSince1970: day)
    guard (0...9_999).contains(date.year) else { return nil }
    let dot = fraction.isEmpty ? "" : "."
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
      + "T\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
      + "\(dot)\(fraction)Z"
  }

  /// The time of a text `yyyy-MM-ddTHH:mm:ssZ`; nil when the calendar has no such time.
  ///
  /// - Precondition: The text has this form.
  static func secondsSince2001(_ text: String) -> Double? {
    let fields = text.dropLast().split { "-T:".contains($0) }
    guard fields.count == 6, let year = Int64(fields[0]), let month = Int64(fields[1]),
      let day = Int64(fields[2]), let hour = Int64(fields[3]), let minute = Int64(fields[4]),
      let second = Double(fields[5]), (1...12).contains(month), hour < 24, minute < 60, second < 61
    else { return nil }
    let days = days(year: year, month: month, day: day)
    guard civil(daysSince1970: days) == (year, month, day) else { return nil }
    return Double(days * secondsOfDay + hour * 3_600 + minute * 60 - secondsTo2001) + second
  }

  /// The days from 1970-01-01 to a day of the proleptic Gregorian calendar.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The digits behind the point of a number's shortest form.
  private static func fractionDigits(of seconds: Double) -> String {
    let part = abs(seconds) - abs(seconds).rounded(.towardZero)
    guard part > 0 else { return "" }
    let text = "\(abs(seconds))"
    guard let point = text.firstIndex(of: "."), !text.contains("e") else {
      // Less than a ten-thousandth of a second around the reference date.
      return plainDigits(of: part)
    }
    return String(text[text.index(after: point)...])
  }

  private static func plainDigits(of part: Double) -> String {
    // Nanoseconds: what is written with an exponent is smaller than the clocks that measure dates.
    let digits = padded(Int64((part * 1e9).rounded()), 9)
    let trimmed = digits.reversed().drop { $0 == "0" }.reversed()
    return String(trimmed)
  }

  /// The digits of one minus a fraction.
  private static func complement(of digits: String) -> String {
    var borrowed = false
    var result: [UInt8] = []
    for digit in digits.utf8.reversed() {
      let value = digit - UInt8(ascii: "0")
      let inverse = borrowed ? 9 - value : (value == 0 ? 0 : 10 - value)
      if value != 0 { borrowed = true }
      result.append(UInt8(ascii: "0") + inverse)
    }
    return String(decoding: result.reversed(), as: UTF8.self)
  }

  /// The day of the proleptic Gregorian calendar, counted in eras of 400 years from March on.
  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
