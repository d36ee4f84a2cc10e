/// The proleptic Gregorian calendar of the years 1 to 9999.
enum CalendarDate {
  static let secondsPerDay: Int64 = 86_400

  /// Whether the calendar has the day.
  @inline(__always)
  static func isValid(year: Int, month: Int, day: Int) -> Bool {
    guard year >= 1, month >= 1, month <= 12, day >= 1 else { return false }
    return day <= 28 || day <= dayCount(year: year, month: month)
  }

  /// How many days the month has.
  @inline(__always)
  static func dayCount(year: Int, month: Int) -> Int {
    if month == 2 { return isLeap(year) ? 29 : 28 }
    // January to July alternate from 31 on, and so do August to December.
    return 30 &+ ((month &+ (month >> 3)) & 1)
  }

  static func isLeap(_ year: Int) -> Bool {
    year & 3 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Days since 1970-01-01; before it, negative.
  static func days(year: Int, month: Int, day: Int) -> Int64 {
    // Years that begin in March put the leap day last, which makes the month lengths regular.
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  /// The date that is the given number of days after 1970-01-01.
  static func date(days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
